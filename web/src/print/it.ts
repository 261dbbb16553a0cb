import type { PrintText } from "./shop";

const text: PrintText = {
    intro: "Tutto ciò che serve a un tavolo, da stampare e ritagliare. Il bianco e nero basta; su carta spessa o cartoncino dura di più.",
    paper: "Carta",
    letter: "US Letter",
    once: "uno di ciascuno",
    what: "Che cosa stampare",
    lines: "Linee continue: tagliare. Linee tratteggiate: piegare.",
    pdf: "Tutte le pagine in PDF",
    hint: "Stampa al 100 % («dimensioni effettive»), senza intestazioni né piè di pagina.",
    kinds: {
        board: ["Tabellone su una pagina", "19 × 19 cm, per le figure piccole.", "Incollalo su cartone, o usalo così com'è."],
        tiles: [
            "Tabellone da tavolo",
            "50 × 50 cm in sei parti, per le figure grandi.",
            "Stampa al 100 %. Taglia ogni parte lungo i segni, poi uniscile sul retro con nastro adesivo.",
        ],
        figures: [
            "Figure e Graal",
            "Le grandi per il tabellone da tavolo, le piccole per quello su una pagina.",
            "Ritaglia le strisce. Piegale a metà, con l'immagine all'esterno, e incollale; piega i piedi verso l'esterno.",
        ],
        sheets: ["Fogli influenza, due per pagina", "Uno per giocatore, fino a 7 giocatori.", "Taglia a metà. Tieni il tuo dietro lo schermo."],
        sheet: ["Fogli influenza, uno per pagina", "Uno per giocatore, fino a 12 giocatori.", "Niente da tagliare. Tieni il tuo dietro lo schermo."],
        screens: [
            "Schermi",
            "Uno per giocatore; all'interno ci sono le regole in breve.",
            "Ritaglia. Piega a metà, con la stampa all'esterno; poi piega le due ali verso di te.",
        ],
        cards: ["Schede riassuntive", "Una per giocatore.", "Separale tagliando."],
        leaflet: ["Regole con un esempio", "Tutte le regole, da leggere prima della partita e per risolvere i dubbi.", "Stampa fronte-retro, o su due fogli."],
        twelve: [
            "Registro per tavoli grandi",
            "Fino a 12 giocatori: ciò che ognuno ha rivelato. Sta accanto al tabellone, visibile a tutti.",
            "Niente da tagliare. Scrive uno solo; un numero più alto sostituisce il vecchio.",
        ],
    },
    part: "{name}, parte {n} di 6",
    sheet: {
        player: "Giocatore",
        units: "Accanto a ogni taglio scrivi a quale iniziato va e in quale turno.",
        mine: "La mia influenza",
        paid: "Pagato (10 ogni volta)",
        shown: "Gli altri hanno rivelato almeno",
    },
    card: {
        title: "Il tuo turno",
        rules: [
            ["Assegnare…", "Annuncialo, poi assegna in segreto quanti tagli vuoi, anche nessuno. Da 4 giocatori in su: tutti allo stesso iniziato."],
            ["… o proporre", "Qualsiasi iniziato va su una casella adiacente, o fa saltare una copertura. Se viene respinto, proponi altro."],
            ["Opporsi", "Rivela almeno 1 punto della tua influenza sull'iniziato che deve agire."],
            [
                "Insistere o cedere",
                "Per insistere, rivela almeno altrettanto. Poi gli altri possono opporsi di nuovo, rivelando di più. I punti rivelati restano tuoi.",
            ],
            [
                "Il Graal",
                "L'iniziato che si sposta può portare con sé o lasciare il Graal che ha o che è libero sulla sua casella; all'arrivo può posarlo, o prenderlo se è libero lì. Nessuno può toglierlo a chi lo porta.",
            ],
            [
                "Far saltare una copertura",
                "Servono 10 tuoi punti sull'iniziato che agisce, e li paghi. I due sono sulla stessa casella. L'iniziato scoperto esce dal gioco; tutti mostrano l'influenza che avevano su di lui. Subito dopo uno spostamento solo in 2 o 3 giocatori.",
            ],
            [
                "La fine",
                "Un iniziato ha il Graal nella propria casella di partenza: vince chi ha più influenza su di lui. In caso di parità vince chi lo ha mosso.",
            ],
        ],
    },
    example: {
        title: "Un esempio",
        text: [
            "Giocano Anna, Ben e Carla. {I1} porta il Graal ed è su {d4}, a due spostamenti da casa. {T1} è lì accanto, su {d3}.",
            "Anna propone di spostare {I1} su {d5}. Ben si oppone e rivela 3 punti su di lui; anche Anna ne rivela 3 e insiste. Carla, finora zitta, ne rivela 5, e così fa Anna. Ora Ben ne rivela 8. Anna ne ha 12 ma preferisce nasconderlo: cede. Propone invece di spostare {R2} su {b5}. Nessuno si oppone, e si muove.",
            "Ben propone di spostare {T1} su {d4} e di far saltare lì la copertura di {I1}. Così tutti sanno che Ben ha almeno 10 punti su {T1}. Nessuno può o vuole impedirlo: {I1} esce dal gioco; i 12 punti di Anna, gli 8 di Ben e i 5 di Carla su di lui diventano pubblici e sono perduti. Ben paga 10 dei suoi 14 punti su {T1}, che prende il Graal. (Da 4 giocatori in su ci sarebbero voluti due turni: lo spostamento e poi la copertura.)",
            "Molto più tardi {T1} è a uno spostamento da casa con il Graal, e Carla lo propone. Ben si oppone con tutti i 4 punti che gli restano. Carla ne rivela 4: basta la parità. Anche Anna ha influenza su di lui, ma vede che Carla può pareggiare. La partita finisce. Su {T1} Anna ha 6 punti, Ben 4, Carla 6: parità – e lo ha mosso Carla. Vince Carla.",
        ],
    },
    twelve: {
        assigned: "Assegnato",
        title: "Quando si gioca in tanti",
        advice: [
            "In dodici servono 12 fogli (uno per pagina), 12 schermi, 12 schede, il tabellone da tavolo e una pagina di figure.",
            "Sedetevi in cerchio. Chi è di turno dice la proposta ad alta voce, non muove ancora nulla e guarda una volta intorno: ci si oppone in senso orario.",
            "Anche chi non ha più influenza gioca: si può proporre qualsiasi iniziato, e assegnare con il foglio vuoto è un bluff.",
            "Un trattino sotto «Assegnato» per ogni assegnazione. Quando salta una copertura, cancella la colonna dell'iniziato e abbassa di 10 il numero di chi ha pagato.",
        ],
    },
};

export default text;
