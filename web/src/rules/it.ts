import type { RulesText } from "./clauses";

const text: RulesText = {
    intro:
        "Otto iniziati di quattro società segrete sono alla ricerca di un solo Graal. Non appartengono a nessuno: ogni giocatore può muoverli tutti. In segreto distribuisci su di loro la tua influenza. Quando un iniziato porta il Graal nella propria casella di partenza, vince chi ha più influenza su di lui – chiunque ce l'abbia mosso.",
    sections: {
        material: "Tabellone, iniziati, influenza",
        opening: "Giocatori e apertura",
        influence: "Assegnare punti influenza",
        proposals: "Proposte e opposizioni",
        grail: "I movimenti e il Graal",
        uncovering: "Far saltare una copertura",
        end: "Fine della partita",
        original: "Variante: L'Originale",
        secrets: "Che cosa è pubblico, che cosa è segreto",
        questions: "Domande che nascono al tavolo",
    },
    clauses: {
        "R1.1": ["Il tabellone", "Il tabellone ha 5 × 5 caselle: le colonne da a ad e da ovest a est, le righe da 1 a 5 da sud a nord. Due caselle sono adiacenti se hanno un lato in comune; toccarsi in un angolo non basta.", "diagonale"],
        "R1.2": ["Gli iniziati", "Ognuna delle quattro società ha due iniziati, uno alto e uno basso. Entrambi cominciano nella loro casella di partenza. Nessun iniziato appartiene a un giocatore.", "pedina"],
        "R1.3": ["Caselle di partenza e Graal", "Gli angoli sono le caselle di partenza: {a1} dei Templari, {e1} degli Assassini, {e5} degli Illuminati, {a5} dei Rosacrociani. Il Graal comincia libero al centro: {c3}.", "QG quartier generale casa"],
        "R1.4": ["Il foglio influenza", "Hai un foglio influenza segreto con 24 tagli: quattro per ogni valore, 10, 5, 4, 3, 2 e 1. In tutto sono 100 punti influenza."],
        "R1.5": ["I nomi delle caselle", "Ogni casella ha un nome e una coordinata, per esempio {d3}. Puoi usare l'uno o l'altra."],

        "R2.1": ["Chi gioca", "Da 2 a 12 giocatori siedono in cerchio e giocano in senso orario. Chi comincia lo decidono i giocatori, o il caso."],
        "R2.2": ["L'apertura", "Prima del primo turno tutti assegnano tagli agli iniziati, in segreto e nello stesso momento: tutti, alcuni o nessuno, a quanti iniziati vogliono. Vale per qualsiasi numero di giocatori.", "preparazione"],
        "R2.3": ["Il tuo turno", "Nel tuo turno fai una di due cose: assegni punti influenza, oppure fai proposte finché una tua proposta non viene eseguita."],

        "R3.1": ["L'annuncio", "All'inizio del tuo turno puoi annunciare che assegni punti influenza. Solo questo è pubblico. Quanti e a chi resta un tuo segreto."],
        "R3.2": ["Assegnare tagli", "Assegni quanti tagli ancora liberi vuoi, ognuno intero e a un solo iniziato che sia ancora sul tabellone. Anche non assegnare nulla è permesso: è un bluff, possibile perfino con il foglio vuoto.", "bluffare passare"],
        "R3.3": ["Su quanti iniziati", "In 2 o 3 giocatori i tagli possono andare su più iniziati. Da 4 in su, tutti i tagli di un'assegnazione vanno sullo stesso iniziato."],
        "R3.4": ["Ciò che è assegnato resta", "Un taglio assegnato resta dov'è. Non si riprende, non si divide, non si cambia e non si sposta mai.", "scambiare riprendere annullare"],
        "R3.5": ["La tua influenza", "La tua influenza su un iniziato è la somma dei tagli che gli hai assegnato, meno quanto hai pagato per far saltare coperture (R6.4)."],

        "R4.1": ["Uno spostamento", "Puoi proporre di spostare qualsiasi iniziato sul tabellone su una casella adiacente, anche senza alcuna influenza su di lui. Non importa chi ci sia già; c'è posto per tutti.", "muovere passo"],
        "R4.2": ["Con una copertura da far saltare", "Una proposta può includere di far saltare una copertura: uno spostamento e poi la copertura, ma solo in 2 o 3 giocatori; oppure sul posto, senza spostamento, in qualsiasi numero."],
        "R4.3": ["Non una parola sul Graal", "Non devi dire che cosa ne sarà del Graal. Lo decidi quando lo spostamento viene eseguito (R5.4)."],
        "R4.4": ["Opporsi", "Ogni altro giocatore può opporsi. Per farlo rivela una parte della sua influenza sull'iniziato che deve agire: almeno 1 punto, al massimo tutta. L'influenza su chi rischia la copertura non serve.", "veto bloccare passare rivelare mostrare"],
        "R4.5": ["Insistere o cedere", "Per insistere sulla tua proposta, riveli su quell'iniziato almeno tanta influenza quanta ne mostra l'opposizione; di più è permesso. Altrimenti cedi, e la proposta è respinta."],
        "R4.6": ["E ancora", "Se insisti, tutti gli altri possono opporsi di nuovo, anche chi finora ha taciuto, rivelando più di quanto tu hai rivelato in questa disputa. Si continua finché nessuno più si oppone – allora la proposta viene eseguita – o finché non cedi.", "veto passare"],
        "R4.7": ["Ognuno per sé", "L'influenza di più giocatori non si somma mai, e nessuno può sostenere la proposta di un altro.", "alleanza squadra"],
        "R4.8": ["Ciò che si rivela è vero", "Puoi rivelare solo quello che hai, ma in qualsiasi misura: anche un numero che non è una somma dei tuoi tagli. I punti restano tuoi; ma da quel momento tutti li conoscono.", "bluffare mentire mostrare"],
        "R4.9": ["Dopo un rifiuto", "È ancora il tuo turno e proponi altro: un'altra casella, un altro iniziato, un'altra copertura. Nello stesso turno non puoi ripetere una proposta respinta né assegnare in cambio (salvo R4.10)."],
        "R4.10": ["Quando tutto è stato respinto", "Se in questo turno sono stati respinti tutti gli spostamenti possibili di tutti gli iniziati, puoi comunque assegnare punti influenza."],

        "R5.1": ["Partire con il Graal", "Se l'iniziato porta il Graal, o se il Graal è libero sulla casella che lascia, ci sono tre possibilità: arriva con il Graal; lo porta con sé e lo posa sulla nuova casella; oppure lo lascia su quella vecchia.", "posare portare"],
        "R5.2": ["Trovare il Graal", "Se il Graal è libero sulla casella d'arrivo, l'iniziato può prenderlo o lasciarlo lì."],
        "R5.3": ["Nessuno lo ruba", "Il Graal non si può togliere a chi lo porta. Solo far saltare la copertura del portatore lo libera (R6.5).", "rubare scambiare"],
        "R5.4": ["Chi decide, e quando", "Del Graal decide il giocatore di turno, dopo che la proposta è stata accettata – e solo se c'è qualcosa da decidere."],

        "R6.1": ["Chi, e a chi", "L'iniziato che agisce fa saltare la copertura di un altro che si trova sulla stessa casella: dopo lo spostamento, o senza muoversi. Può essere anche uno della sua società.", "uccidere catturare eliminare"],
        "R6.2": ["Servono dieci punti", "Per annunciarlo devi avere almeno 10 punti sull'iniziato che agisce. L'annuncio lo tradisce: da quel momento tutti sanno di quei 10 punti."],
        "R6.3": ["Che cosa succede", "Se la proposta è accettata, l'iniziato scoperto esce dal gioco. Tutti rendono pubblica l'influenza che avevano su di lui; è perduta.", "uccidere catturare eliminare"],
        "R6.4": ["Il prezzo", "Il giocatore di turno paga 10 dei suoi punti sull'iniziato che agisce, per sempre. Una proposta respinta non costa nulla; e nemmeno una il cui spostamento chiude già la partita (R7.1).", "costo"],
        "R6.5": ["Il Graal è libero", "Se l'iniziato scoperto portava il Graal, questo ora è libero su quella casella, e l'iniziato che agisce può prenderlo subito o lasciarlo. Far saltare una copertura sul posto non dà altre occasioni di prendere o posare il Graal."],
        "R6.6": ["Poi basta", "Far saltare una copertura conclude lo spostamento. Dopo, l'iniziato non può più muoversi."],
        "R6.7": ["In 4 o più giocatori", "Nel tuo turno puoi muovere o far saltare una copertura, mai entrambe le cose. Bisogna quindi mettersi in due – o impiegare due turni."],

        "R7.1": ["Quando finisce la partita", "La partita finisce nel momento in cui un iniziato ha il Graal nella casella di partenza della propria società: perché ce lo porta, lo trova lì arrivando e lo prende, lo raccoglie lì partendo, o lo prende lì dopo aver fatto saltare una copertura.", "vincere meta"],
        "R7.2": ["Nessun ritorno", "Nella propria casella di partenza un iniziato non può posare il Graal che porta: la partita è finita. E se lo raccoglie lì per partire, finisce prima del suo spostamento."],
        "R7.3": ["Chi vince", "Si scoprono tutti i fogli. Vince chi ha più influenza su quell'iniziato. In caso di parità vince il giocatore di turno, che lo ha mosso – anche se non è tra i primi. I tagli non assegnati non contano.", "pareggio vincere vittoria"],
        "R7.4": ["La casella di partenza di un'altra società", "Nella casella di partenza di un'altra società il Graal non conclude la partita, portato o libero che sia."],
        "R7.5": ["Limite di turni", "I giocatori possono accordarsi su un numero di turni dopo il quale la partita finisce in pareggio. Altrimenti non c'è limite.", "patta"],

        "R8.1": ["Quattro giocatori, quattro quartieri generali", "Esattamente 4 giocatori, con le regole per 4 o più. Ognuno possiede uno dei quartieri generali."],
        "R8.2": ["La corsa agli angoli", "La partita finisce nel momento in cui un iniziato qualsiasi arriva con il Graal in un quartier generale qualsiasi. Vince il proprietario di quel quartier generale, qualunque sia l'influenza. Arrivando lì il Graal non si può posare.", "vincere"],
        "R8.3": ["Che cosa non vale", "La fine normale (da R7.1 a R7.3) non vale."],

        "R10.1": ["Pubblico", "Tutti vedono il tabellone e il Graal, di chi è il turno, proposte, opposizioni e rifiuti, ciò che è stato rivelato, pagato e perduto, e chi ha assegnato punti influenza. Per ogni giocatore e iniziato si tiene la cifra più alta conosciuta; un pagamento la abbassa di 10."],
        "R10.2": ["Segreto", "I fogli restano segreti fino alla fine. Nulla di ciò che un altro giocatore può vedere o misurare dice più di quel che è pubblico."],
        "R10.3": ["Il taccuino", "Ciò che se ne può dedurre lo annota per te il programma: l'influenza minima e massima che ogni giocatore può avere su ogni iniziato."],
        "R10.4": ["Alla fine", "Si mostrano tutti i fogli, con il turno in cui ogni taglio è stato assegnato."],

        Q1: ["Un iniziato può prendere il Graal dalla casella da cui parte?", "Sì. Basta che lì sia libero (R5.1)."],
        Q2: ["Devo annunciare che cosa ne sarà del Graal?", "No. Si decide dopo che la proposta è stata accettata (R4.3)."],
        Q3: ["Posso annunciare un'assegnazione e non assegnare nulla?", "Sì, sempre. Altrimenti l'annuncio direbbe che il tuo foglio non è vuoto (R3.2).", "bluff"],
        Q4: ["In 2 o 3 giocatori si può far saltare una copertura sul posto?", "Sì. Uno spostamento prima è possibile, ma non obbligatorio (R4.2)."],
        Q5: ["Posso oppormi prima e mostrare i punti dopo?", "No. Un'opposizione mostra subito dei punti. Brontolare è permesso, ma sono solo parole (R4.4)."],
        Q6: ["Posso rispondere a un'opposizione con più del necessario?", "Sì. Può abbreviare la disputa – e dice di più su di te (R4.5)."],
        Q7: ["Ho taciuto. Posso ancora oppormi in questa disputa?", "Sì, ogni volta che il giocatore di turno ha insistito (R4.6)."],
        Q8: ["Più giocatori sono pari, ma non chi ha mosso. Chi vince?", "Chi ha mosso, qualunque sia la sua influenza (R7.3).", "parità vincere"],
        Q9: ["Il Graal è libero in una casella di partenza e un membro della società è già lì. Può chiudere la partita?", "Sì: proponi di muoverlo, e partendo raccoglie il Graal. La partita finisce all'istante (R7.2)."],
        Q10: ["Quali sono «tutti gli spostamenti possibili» dopo i quali posso assegnare?", "Ogni spostamento di ogni iniziato su ogni casella adiacente. Le coperture da far saltare non contano, perché dipendono da influenza segreta (R4.10)."],
        Q11: ["In quanti si può giocare?", "Da 2 a 12. Da 4 in su, le regole per assegnare e far saltare coperture sono un po' più severe (R3.3, R6.7)."],
        Q13: ["In che ordine ci si oppone?", "Il programma chiede a tutti insieme e tiene nascoste le risposte fino all'ultima. Allora vale la prima opposizione alla sinistra del giocatore di turno; dopo la sua risposta si chiede di nuovo a tutti."],
        Q14: ["Ho già rivelato 5 punti. Valgono in una nuova disputa?", "Ogni disputa parte da zero. Ma mostrare ancora ciò che tutti sanno non dice nulla di nuovo (R4.8)."],
    },
};

export default text;
