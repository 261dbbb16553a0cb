import type { PrintText } from "./shop";

const text: PrintText = {
    intro: "Alles, was ein Tisch braucht, zum Drucken und Ausschneiden. Schwarz-Weiß genügt; auf festem Papier oder Karton hält es länger.",
    paper: "Papier",
    letter: "US Letter",
    once: "je einmal",
    what: "Was gedruckt wird",
    lines: "Durchgezogene Linien: schneiden. Gestrichelte Linien: falten.",
    pdf: "Alle Seiten als PDF",
    hint: "Mit 100 % („tatsächliche Größe“) und ohne Kopf- und Fußzeilen drucken.",
    kinds: {
        board: ["Brett auf einer Seite", "19 × 19 cm, für die kleinen Figuren.", "Auf Karton kleben oder so darauf spielen."],
        tiles: [
            "Brett in Tischgröße",
            "50 × 50 cm in sechs Teilen, für die großen Figuren.",
            "Mit 100 % drucken. Jeden Teil an den Marken zuschneiden, dann alle von hinten zusammenkleben.",
        ],
        figures: [
            "Figuren und Gral",
            "Die großen sind für das Brett in Tischgröße, die kleinen für das Brett auf einer Seite.",
            "Die Streifen ausschneiden, in der Mitte falten (Bild nach außen) und zusammenkleben; die Füße nach außen knicken.",
        ],
        sheets: [
            "Einflussbögen, zwei pro Seite",
            "Einer für jeden, mit bis zu 7 Spielern.",
            "In der Mitte durchschneiden. Deiner bleibt hinter deinem Sichtschirm.",
        ],
        sheet: ["Einflussbögen, einer pro Seite", "Einer für jeden, mit bis zu 12 Spielern.", "Nichts zu schneiden. Deiner bleibt hinter deinem Sichtschirm."],
        screens: [
            "Sichtschirme",
            "Einer für jeden; innen stehen die Regeln in Kürze.",
            "Ausschneiden. In der Mitte falten, Druck nach außen; dann beide Flügel zu dir hin knicken.",
        ],
        cards: ["Übersichtskarten", "Eine für jeden.", "Auseinanderschneiden."],
        leaflet: [
            "Regeln mit Beispiel",
            "Alle Regeln, zum Lesen vor dem Spiel und zum Nachschlagen.",
            "Auf beide Seiten eines Blattes drucken oder auf zwei Blätter.",
        ],
        twelve: [
            "Protokoll für große Runden",
            "Für bis zu 12 Spieler: was alle offenbart haben. Es liegt offen neben dem Brett.",
            "Nichts zu schneiden. Einer schreibt; eine höhere Zahl ersetzt die alte.",
        ],
    },
    part: "{name}, Teil {n} von 6",
    sheet: {
        player: "Spieler",
        units: "Neben jeden Betrag schreibst du, auf wen er geht und in welchem Zug.",
        mine: "Mein Einfluss",
        paid: "Bezahlt (je 10)",
        shown: "Die anderen haben mindestens offenbart",
    },
    card: {
        title: "Dein Zug",
        rules: [
            ["Nachsetzen …", "Sag es an, dann setze heimlich beliebig viele Beträge, auch keinen. Ab 4 Spielern: alle auf denselben Geheimbündler."],
            [
                "… oder vorschlagen",
                "Ein beliebiger Geheimbündler zieht auf ein Nachbarfeld oder enttarnt einen anderen. Wird das abgelehnt, schlage etwas anderes vor.",
            ],
            ["Einspruch", "Offenbare mindestens 1 Punkt deines Einflusses auf den, der handeln soll."],
            [
                "Dabei bleiben oder nachgeben",
                "Wer dabei bleibt, offenbart mindestens ebenso viel. Dann dürfen die anderen wieder Einspruch erheben, mit mehr. Offenbarte Punkte behältst du.",
            ],
            [
                "Der Gral",
                "Wer zieht, darf den Gral, den er trägt oder der frei bei ihm steht, mitnehmen oder stehen lassen; am Ziel darf er ihn abstellen oder, wenn er dort frei steht, nehmen. Einem Gralshüter nimmt ihn niemand weg.",
            ],
            [
                "Enttarnen",
                "Nötig sind 10 deiner Punkte auf den, der handelt; sie sind der Preis. Beide stehen auf demselben Feld. Der Enttarnte scheidet aus; alle legen ihren Einfluss auf ihn offen. Gleich nach einem Schritt nur zu zweit oder zu dritt.",
            ],
            [
                "Das Ende",
                "Ein Geheimbündler hat den Gral im eigenen Hauptquartier: Wer den meisten Einfluss auf ihn hat, gewinnt. Bei Gleichstand gewinnt, wer ihn gezogen hat.",
            ],
        ],
    },
    example: {
        title: "Ein Beispiel",
        text: [
            "Anna, Ben und Carla spielen. {I1} trägt den Gral und steht auf {d4}, zwei Schritte von zu Hause. {T1} steht gleich daneben, auf {d3}.",
            "Anna schlägt vor, {I1} nach {d5} zu ziehen. Ben erhebt Einspruch und offenbart 3 Punkte auf ihn; Anna offenbart ebenfalls 3 und bleibt dabei. Carla hat bisher geschwiegen und offenbart 5, Anna auch. Nun offenbart Ben 8. Anna hat 12, will das aber nicht zeigen: Sie gibt nach. Stattdessen schlägt sie vor, {R2} nach {b5} zu ziehen. Niemand widerspricht, und er zieht.",
            "Ben schlägt vor, {T1} nach {d4} zu ziehen und dort {I1} zu enttarnen. Damit wissen alle, dass Ben auf {T1} mindestens 10 Punkte gesetzt hat. Niemand kann oder will das verhindern: {I1} scheidet aus; Annas 12, Bens 8 und Carlas 5 Punkte auf ihn werden offengelegt und sind verloren. Ben zahlt 10 seiner 14 Punkte auf {T1} – und der nimmt den Gral. (Ab 4 Spielern wären Schritt und Enttarnung zwei Züge gewesen.)",
            "Viel später ist {T1} mit dem Gral einen Schritt von zu Hause entfernt, und Carla schlägt diesen Schritt vor. Ben erhebt Einspruch mit allen 4 Punkten, die ihm bleiben. Carla offenbart 4: Ebenso viel genügt. Auch Anna hat Einfluss auf ihn, sieht aber, dass Carla mithalten kann. Das Spiel ist aus. Auf {T1} haben Anna 6, Ben 4 und Carla 6 Punkte: Gleichstand – und Carla hat ihn gezogen. Carla gewinnt.",
        ],
    },
    twelve: {
        assigned: "Nachgesetzt",
        title: "Wenn viele mitspielen",
        advice: [
            "Zu zwölft braucht ihr 12 Bögen (einer pro Seite), 12 Sichtschirme, 12 Karten, das Brett in Tischgröße und eine Seite Figuren.",
            "Setzt euch im Kreis. Wer am Zug ist, sagt den Vorschlag laut an, zieht noch nicht und schaut einmal in die Runde: Einsprüche kommen im Uhrzeigersinn.",
            "Auch wer keinen Einfluss mehr hat, spielt mit: Vorschlagen darf man jeden Geheimbündler, und mit leerem Bogen nachzusetzen ist ein Bluff.",
            "Für jedes Nachsetzen ein Strich unter „Nachgesetzt“. Nach einer Enttarnung wird die Spalte des Enttarnten gestrichen; wer bezahlt hat, dessen Zahl sinkt um 10.",
        ],
    },
};

export default text;
