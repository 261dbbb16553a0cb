import type { RulesText } from "./clauses";

const text: RulesText = {
    intro:
        "Acht Geheimbündler aus vier Geheimbünden jagen einen Gral. Sie gehören niemandem: Alle am Tisch dürfen jeden von ihnen ziehen. Heimlich verteilst du deinen Einfluss auf sie. Bringt ein Geheimbündler den Gral heim in sein Hauptquartier, gewinnt, wer den meisten Einfluss auf ihn hat – ganz gleich, wer ihn dorthin gezogen hat.",
    sections: {
        material: "Brett, Geheimbündler, Einfluss",
        opening: "Spieler und Eröffnung",
        influence: "Einfluss setzen",
        proposals: "Vorschläge und Einsprüche",
        grail: "Ziehen und der Gral",
        uncovering: "Enttarnen",
        end: "Das Ende",
        original: "Variante: Das Original",
        secrets: "Was offen und was geheim ist",
        questions: "Fragen, die am Tisch aufkommen",
    },
    clauses: {
        "R1.1": ["Das Brett", "Das Brett (der Spielplan) hat 5 × 5 Felder: die Spalten a bis e von West nach Ost, die Reihen 1 bis 5 von Süd nach Nord. Felder sind benachbart, wenn sie eine Seite gemeinsam haben; über Eck gilt nicht.", "diagonal schräg"],
        "R1.2": ["Die Geheimbündler", "Jeder der vier Bünde hat zwei Geheimbündler, einen großen und einen kleinen. Zu Beginn stehen beide in ihrem Hauptquartier. Keiner von ihnen gehört einem Spieler.", "Spielstein"],
        "R1.3": ["Hauptquartiere und Gral", "Die Ecken sind die Hauptquartiere: {a1} das der Templer, {e1} das der Assassinen, {e5} das der Illuminaten, {a5} das der Rosenkreuzer. Der Gral steht zu Beginn frei in der Mitte, auf {c3}.", "HQ Zuhause"],
        "R1.4": ["Der Einflussbogen", "Du hast einen geheimen Einflussbogen mit 24 Beträgen: je vier zu 10, 5, 4, 3, 2 und 1. Zusammen sind das 100 Einflusspunkte."],
        "R1.5": ["Namen der Felder", "Jedes Feld hat einen Namen und eine Koordinate, etwa {d3}. Du kannst beides verwenden."],

        "R2.1": ["Wer mitspielt", "2 bis 12 Spieler sitzen im Kreis und spielen im Uhrzeigersinn. Wer anfängt, bestimmt die Runde oder der Zufall."],
        "R2.2": ["Die Eröffnung", "Vor dem ersten Zug setzen alle gleichzeitig und geheim Beträge auf Geheimbündler: alle, einige oder keinen, auf so viele Figuren, wie du magst. Das gilt für jede Spielerzahl.", "Aufbau"],
        "R2.3": ["Dein Zug", "In deinem Zug tust du eines von beidem: Du setzt Einfluss nach, oder du schlägst etwas vor, bis einer deiner Vorschläge ausgeführt wird."],

        "R3.1": ["Ansagen", "Zu Beginn deines Zuges darfst du ansagen, dass du nachsetzt. Nur das erfahren die anderen. Wie viel du wohin setzt, bleibt dein Geheimnis."],
        "R3.2": ["Beträge setzen", "Du setzt beliebig viele noch freie Beträge, jeden ungeteilt und auf genau einen Geheimbündler, der noch auf dem Brett ist. Auch gar nichts zu setzen ist erlaubt: ein Bluff, der selbst mit leerem Bogen geht.", "bluffen passen aussetzen"],
        "R3.3": ["Auf wie viele Figuren", "Zu zweit oder zu dritt dürfen die Beträge auf mehrere Geheimbündler gehen. Ab 4 Spielern gehen alle Beträge eines Nachsetzens auf denselben."],
        "R3.4": ["Gesetzt ist gesetzt", "Ein gesetzter Betrag bleibt, wo er ist. Er wird nie zurückgenommen, geteilt, getauscht oder verschoben.", "tauschen zurücknehmen rückgängig"],
        "R3.5": ["Dein Einfluss", "Dein Einfluss auf einen Geheimbündler ist die Summe deiner Beträge bei ihm, abzüglich dessen, was du fürs Enttarnen bezahlt hast (R6.4)."],

        "R4.1": ["Ein Schritt", "Du darfst vorschlagen, einen beliebigen Geheimbündler auf ein Nachbarfeld zu ziehen, auch ganz ohne Einfluss auf ihn. Wer dort schon steht, spielt keine Rolle; auf einem Feld haben alle Platz.", "bewegen"],
        "R4.2": ["Mit Enttarnung", "Ein Vorschlag darf eine Enttarnung enthalten: als Schritt mit anschließender Enttarnung, aber nur zu zweit oder zu dritt; oder als Enttarnung an Ort und Stelle, mit beliebig vielen Spielern."],
        "R4.3": ["Kein Wort über den Gral", "Was mit dem Gral geschehen soll, brauchst du nicht anzusagen. Das entscheidest du erst, wenn der Schritt ausgeführt wird (R5.4)."],
        "R4.4": ["Einspruch erheben", "Jeder andere Spieler darf Einspruch erheben. Dazu offenbart er einen Teil seines Einflusses auf den Geheimbündler, der handeln soll: mindestens 1 Punkt, höchstens alles. Einfluss auf den, der enttarnt werden soll, hilft nicht.", "Veto widersprechen passen offenbaren zeigen"],
        "R4.5": ["Dabei bleiben oder nachgeben", "Willst du bei deinem Vorschlag bleiben, so offenbarst du mindestens so viel Einfluss auf diesen Geheimbündler, wie der Einspruch zeigt; mehr ist erlaubt. Sonst gibst du nach, und der Vorschlag ist abgelehnt."],
        "R4.6": ["Und noch einmal", "Bleibst du dabei, dürfen alle anderen erneut Einspruch erheben, auch wer bisher geschwiegen hat: mit mehr Punkten, als du in diesem Streit offenbart hast. So geht es weiter, bis niemand mehr widerspricht – dann wird der Vorschlag ausgeführt – oder bis du nachgibst.", "Veto passen"],
        "R4.7": ["Jeder für sich", "Der Einfluss mehrerer Spieler wird nie zusammengezählt, und niemand kann den Vorschlag eines anderen unterstützen.", "Bündnis Team"],
        "R4.8": ["Offenbartes ist wahr", "Offenbaren kannst du nur, was du hast, davon aber jeden beliebigen Teil, auch eine Zahl, die aus deinen Beträgen gar nicht zu bilden ist. Die Punkte behältst du; doch von nun an wissen alle davon.", "bluffen lügen zeigen"],
        "R4.9": ["Nach einer Ablehnung", "Du bleibst am Zug und schlägst etwas anderes vor: ein anderes Feld, einen anderen Geheimbündler, eine andere Enttarnung. Denselben Vorschlag darfst du in diesem Zug nicht wiederholen, und nachsetzen darfst du auch nicht mehr (Ausnahme: R4.10)."],
        "R4.10": ["Wenn alles abgelehnt ist", "Wurde in diesem Zug jeder mögliche Schritt jedes Geheimbündlers abgelehnt, darfst du doch noch nachsetzen."],

        "R5.1": ["Mit dem Gral aufbrechen", "Trägt der Geheimbündler den Gral oder steht der Gral frei auf dem Feld, das er verlässt, so gibt es drei Möglichkeiten: Er kommt mit dem Gral an; er nimmt ihn mit und stellt ihn auf dem neuen Feld ab; oder er lässt ihn auf dem alten stehen.", "ablegen tragen"],
        "R5.2": ["Den Gral finden", "Steht der Gral frei auf dem Feld, das er betritt, so darf er ihn nehmen oder stehen lassen."],
        "R5.3": ["Niemand stiehlt ihn", "Einem Gralshüter kann der Gral nicht weggenommen werden. Erst wenn er enttarnt wird, ist der Gral wieder frei (R6.5).", "stehlen rauben tauschen"],
        "R5.4": ["Wer entscheidet, und wann", "Über den Gral entscheidet, wer am Zug ist, sobald der Vorschlag angenommen ist – und nur, wenn es etwas zu entscheiden gibt."],

        "R6.1": ["Wer wen enttarnt", "Der handelnde Geheimbündler enttarnt einen anderen auf demselben Feld: nach seinem Schritt oder dort, wo er steht. Auch einen aus dem eigenen Bund.", "schlagen töten fangen"],
        "R6.2": ["Zehn Punkte sind nötig", "Um eine Enttarnung anzusagen, musst du mindestens 10 Punkte auf den handelnden Geheimbündler gesetzt haben. Die Ansage verrät das: Von nun an wissen alle von 10 Punkten."],
        "R6.3": ["Was geschieht", "Wird der Vorschlag angenommen, scheidet der enttarnte Geheimbündler aus. Alle legen offen, wie viel Einfluss sie auf ihn hatten; er ist verloren.", "schlagen töten fangen entfernen"],
        "R6.4": ["Der Preis", "Wer am Zug ist, zahlt 10 der Punkte, die er auf den handelnden Geheimbündler gesetzt hat, endgültig. Ein abgelehnter Vorschlag kostet nichts; auch nicht einer, bei dem schon der Schritt das Spiel beendet (R7.1).", "Kosten"],
        "R6.5": ["Der Gral wird frei", "War der Enttarnte der Gralshüter, so steht der Gral nun frei auf diesem Feld, und der handelnde Geheimbündler darf ihn sofort nehmen oder stehen lassen. Sonst gibt eine Enttarnung an Ort und Stelle keine Gelegenheit, den Gral zu nehmen oder abzustellen."],
        "R6.6": ["Danach ist Schluss", "Die Enttarnung beendet die Bewegung. Ein Schritt danach ist nicht möglich."],
        "R6.7": ["Ab 4 Spielern", "Ein Zug ist ein Schritt oder eine Enttarnung, nie beides. Es müssen also zwei zusammenarbeiten – oder einer braucht zwei Züge."],

        "R7.1": ["Wann das Spiel endet", "Das Spiel endet in dem Augenblick, in dem ein Geheimbündler den Gral im Hauptquartier seines eigenen Bundes hat: weil er ihn hineinträgt, ihn dort vorfindet und nimmt, ihn dort beim Aufbruch an sich nimmt oder ihn dort nach einer Enttarnung nimmt.", "gewinnen Ziel"],
        "R7.2": ["Kein Zurück", "Im eigenen Hauptquartier kann ein Geheimbündler den mitgebrachten Gral nicht abstellen: Das Spiel ist aus. Und nimmt er ihn dort beim Aufbruch an sich, endet es noch vor seinem Schritt."],
        "R7.3": ["Wer gewinnt", "Alle Bögen werden aufgedeckt. Wer den meisten Einfluss auf diesen Geheimbündler hat, gewinnt. Haben mehrere gleich viel, gewinnt, wer am Zug war und ihn gezogen hat – auch wenn er gar nicht zu ihnen gehört. Nicht gesetzte Beträge zählen nicht.", "Gleichstand gewinnen Sieg"],
        "R7.4": ["Fremdes Hauptquartier", "Im Hauptquartier eines anderen Bundes beendet der Gral das Spiel nicht, ob er getragen wird oder frei steht."],
        "R7.5": ["Zuggrenze", "Eine Runde kann eine Zahl von Zügen vereinbaren, nach der das Spiel unentschieden ist. Ohne Vereinbarung gibt es keine Grenze.", "Remis"],

        "R8.1": ["Vier Spieler, vier Hauptquartiere", "Genau 4 Spieler spielen nach den Regeln ab 4 Spielern. Jedem gehört eines der Hauptquartiere."],
        "R8.2": ["Wettlauf in die Ecken", "Das Spiel endet, sobald irgendein Geheimbündler mit dem Gral in irgendeinem Hauptquartier ankommt. Es gewinnt, wem dieses Hauptquartier gehört; der Einfluss zählt dabei nicht. Abstellen kann man den Gral bei der Ankunft dort nicht.", "gewinnen"],
        "R8.3": ["Was nicht gilt", "Das gewöhnliche Ende (R7.1 bis R7.3) gilt hier nicht."],

        "R10.1": ["Offen", "Alle sehen das Brett und den Gral, wer am Zug ist, Vorschläge, Einsprüche und Ablehnungen, was offenbart, bezahlt und verloren wurde, und dass jemand nachgesetzt hat. Zu jedem Spieler und Geheimbündler wird die höchste bekannte Zahl festgehalten; eine Zahlung senkt sie um 10."],
        "R10.2": ["Geheim", "Die Bögen bleiben bis zum Schluss geheim. Nichts, was andere sehen oder messen können, verrät mehr, als offen bekannt ist."],
        "R10.3": ["Der Notizblock", "Was sich aus alldem folgern lässt, notiert das Programm für dich: wie viel Einfluss jeder Spieler auf jeden Geheimbündler mindestens hat und höchstens haben kann."],
        "R10.4": ["Am Ende", "Alle Bögen werden gezeigt, mit dem Zug, in dem jeder Betrag gesetzt wurde."],

        Q1: ["Darf ein Geheimbündler den Gral von dem Feld mitnehmen, auf dem er aufbricht?", "Ja. Es genügt, dass er dort frei steht (R5.1)."],
        Q2: ["Muss ich ansagen, was mit dem Gral geschieht?", "Nein. Das wird entschieden, wenn der Vorschlag angenommen ist (R4.3)."],
        Q3: ["Darf ich Nachsetzen ansagen und nichts setzen?", "Ja, jederzeit. Sonst würde die Ansage verraten, dass dein Bogen noch nicht leer ist (R3.2).", "Bluff"],
        Q4: ["Darf man auch zu zweit oder zu dritt an Ort und Stelle enttarnen?", "Ja. Der Schritt davor ist dann möglich, aber keine Pflicht (R4.2)."],
        Q5: ["Darf ich erst Einspruch erheben und die Punkte später zeigen?", "Nein. Ein Einspruch zeigt sofort Punkte. Murren ist erlaubt, bleibt aber Gerede (R4.4)."],
        Q6: ["Darf ich auf einen Einspruch mehr zeigen als nötig?", "Ja. Das kann den Streit abkürzen – und verrät mehr über dich (R4.5)."],
        Q7: ["Ich habe geschwiegen. Darf ich in diesem Streit noch Einspruch erheben?", "Ja, jedes Mal, wenn der Spieler am Zug dabei geblieben ist (R4.6)."],
        Q8: ["Mehrere liegen gleichauf, aber nicht der, der gezogen hat. Wer gewinnt?", "Wer gezogen hat, wie viel Einfluss er auch immer hat (R7.3).", "Gleichstand gewinnen"],
        Q9: ["Der Gral steht frei in einem Hauptquartier, und ein Mitglied des Bundes ist schon dort. Kann es das Spiel beenden?", "Ja: Schlag vor, es zu ziehen; beim Aufbruch nimmt es den Gral an sich. Das Spiel endet auf der Stelle (R7.2)."],
        Q10: ["Was sind „alle möglichen Schritte“, nach denen ich nachsetzen darf?", "Jeder Schritt jedes Geheimbündlers auf jedes Nachbarfeld. Enttarnungen zählen nicht mit, denn sie hängen von geheimem Einfluss ab (R4.10)."],
        Q11: ["Wie viele können spielen?", "2 bis 12. Ab 4 Spielern sind Nachsetzen und Enttarnen etwas strenger geregelt (R3.3, R6.7)."],
        Q13: ["In welcher Reihenfolge wird Einspruch erhoben?", "Das Programm fragt alle zugleich und hält die Antworten verdeckt, bis die letzte da ist. Dann zählt der erste Einspruch links vom Spieler am Zug; nach seiner Antwort werden alle neu gefragt."],
        Q14: ["Ich habe früher schon 5 Punkte offenbart. Zählen sie in einem neuen Streit?", "Jeder Streit beginnt bei null. Aber noch einmal zu zeigen, was ohnehin alle wissen, verrät nichts Neues (R4.8)."],
    },
};

export default text;
