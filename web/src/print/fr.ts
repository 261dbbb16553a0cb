import type { PrintText } from "./shop";

const text: PrintText = {
    intro: "Tout ce qu'il faut pour une table, à imprimer et à découper. Le noir et blanc suffit ; sur papier fort ou sur carton, cela dure plus longtemps.",
    paper: "Papier",
    letter: "US Letter",
    once: "un de chaque",
    what: "Que faut-il imprimer ?",
    lines: "Traits pleins : couper. Pointillés : plier.",
    pdf: "Toutes les pages en PDF",
    hint: "Imprimez à 100 % (« taille réelle »), sans en-tête ni pied de page.",
    kinds: {
        board: ["Plateau sur une page", "19 × 19 cm, pour les petites figurines.", "À coller sur du carton, ou à utiliser tel quel."],
        tiles: [
            "Plateau de table",
            "50 × 50 cm en six parties, pour les grandes figurines.",
            "Imprimez à 100 %. Coupez chaque partie aux repères, puis assemblez-les au dos avec du ruban adhésif.",
        ],
        figures: [
            "Figurines et Graal",
            "Les grandes vont avec le plateau de table, les petites avec le plateau sur une page.",
            "Découpez les bandes. Pliez-les en deux, image à l'extérieur, et collez ; pliez les pieds vers l'extérieur.",
        ],
        sheets: ["Feuilles d'influence, deux par page", "Une par joueur, jusqu'à 7 joueurs.", "Coupez en deux. Gardez la vôtre derrière votre paravent."],
        sheet: ["Feuilles d'influence, une par page", "Une par joueur, jusqu'à 12 joueurs.", "Rien à couper. Gardez la vôtre derrière votre paravent."],
        screens: [
            "Paravents",
            "Un par joueur ; les règles en bref sont à l'intérieur.",
            "Découpez. Pliez en deux au milieu, impression à l'extérieur, puis rabattez les deux ailes vers vous.",
        ],
        cards: ["Aide-mémoire", "Un par joueur.", "Séparez-les en coupant."],
        leaflet: ["Règles et exemple", "Toutes les règles, à lire avant la partie et pour trancher les débats.", "Imprimez recto verso, ou sur deux feuilles."],
        twelve: [
            "Registre des grandes tables",
            "Jusqu'à 12 joueurs : ce que chacun a révélé. Il est posé à la vue de tous.",
            "Rien à couper. Un joueur écrit ; un nombre plus grand remplace l'ancien.",
        ],
    },
    part: "{name}, partie {n} sur 6",
    sheet: {
        player: "Joueur",
        units: "À côté de chaque pièce, notez sur quel initié elle va et à quel tour.",
        mine: "Mon influence",
        paid: "Payé (par 10)",
        shown: "Les autres ont révélé au moins",
    },
    card: {
        title: "Votre tour",
        rules: [
            [
                "Assigner…",
                "Annoncez-le, puis placez en secret autant de pièces que vous voulez, même aucune. À partir de 4 joueurs : toutes sur le même initié.",
            ],
            ["… ou proposer", "N'importe quel initié va sur une case adjacente, ou fait sauter une couverture. En cas de rejet, proposez autre chose."],
            ["S'opposer", "Révélez au moins 1 point de votre influence sur l'initié qui doit agir."],
            [
                "Insister ou céder",
                "Pour insister, révélez au moins autant. Les autres peuvent alors s'opposer de nouveau, en révélant davantage. Vous gardez les points révélés.",
            ],
            [
                "Le Graal",
                "L'initié qui se déplace peut emporter ou laisser le Graal qu'il porte ou qui est libre sur sa case ; à l'arrivée, il peut le déposer, ou le prendre s'il y est libre. Personne ne peut le prendre à son porteur.",
            ],
            [
                "Faire sauter une couverture",
                "Il faut avoir 10 points sur l'initié qui agit, et on les paie. Les deux sont sur la même case. L'initié découvert quitte la partie ; chacun rend publique son influence sur lui. Juste après un déplacement : à 2 ou 3 joueurs seulement.",
            ],
            [
                "La fin",
                "Un initié a le Graal dans son propre quartier général : celui qui a le plus d'influence sur lui gagne. À égalité, celui qui l'a déplacé gagne.",
            ],
        ],
    },
    example: {
        title: "Un exemple",
        text: [
            "Anna, Ben et Carla jouent. {I1} porte le Graal et se trouve à {d4}, à deux déplacements de chez lui. {T1} est juste à côté, à {d3}.",
            "Anna propose de déplacer {I1} à {d5}. Ben s'oppose et révèle 3 points sur lui ; Anna en révèle 3 aussi et insiste. Carla, muette jusque-là, en révèle 5, et Anna également. Alors Ben en révèle 8. Anna en a 12 mais préfère le cacher : elle cède. Elle propose plutôt de déplacer {R2} à {b5}. Personne ne s'oppose, et c'est fait.",
            "Ben propose de déplacer {T1} à {d4} et d'y faire sauter la couverture de {I1}. Tous savent maintenant que Ben a au moins 10 points sur {T1}. Personne ne peut ou ne veut l'empêcher : {I1} quitte la partie ; les 12 points d'Anna, les 8 de Ben et les 5 de Carla sur lui sont rendus publics et perdus. Ben paie 10 de ses 14 points sur {T1}, qui prend le Graal. (À partir de 4 joueurs, il aurait fallu deux tours : le déplacement, puis la couverture.)",
            "Bien plus tard, {T1} est à un déplacement de chez lui avec le Graal, et Carla le propose. Ben s'oppose avec les 4 points qui lui restent. Carla en révèle 4 : autant suffit. Anna a aussi de l'influence sur lui, mais voit que Carla peut suivre. La partie est finie. Sur {T1}, Anna a 6 points, Ben 4, Carla 6 : égalité – et c'est Carla qui l'a déplacé. Carla gagne.",
        ],
    },
    twelve: {
        assigned: "Assigné",
        title: "Quand on joue à beaucoup",
        advice: [
            "À douze, il faut 12 feuilles (une par page), 12 paravents, 12 aide-mémoire, le plateau de table et une page de figurines.",
            "Asseyez-vous en cercle. Le joueur actif annonce sa proposition à voix haute, ne déplace encore rien et fait le tour du regard : on s'oppose dans le sens des aiguilles d'une montre.",
            "Même sans influence, on joue encore : on peut proposer n'importe quel initié, et assigner avec une feuille vide est un bluff.",
            "Un trait sous « Assigné » pour chaque assignation. Quand une couverture saute, barrez la colonne de l'initié et baissez de 10 le nombre de celui qui a payé.",
        ],
    },
};

export default text;
