import type { RulesText } from "./clauses";

const text: RulesText = {
    intro:
        "Huit initiés de quatre sociétés secrètes sont en quête d'un seul Graal. Ils n'appartiennent à personne : chaque joueur peut déplacer n'importe lequel d'entre eux. En secret, vous répartissez sur eux votre influence. Quand un initié rapporte le Graal dans son quartier général, le joueur qui a le plus d'influence sur lui gagne – peu importe qui l'y a conduit.",
    sections: {
        material: "Plateau, initiés, influence",
        opening: "Joueurs et ouverture",
        influence: "Assigner des points d'influence",
        proposals: "Propositions et oppositions",
        grail: "Les déplacements et le Graal",
        uncovering: "Faire sauter une couverture",
        end: "Fin de la partie",
        original: "Variante : L'Original",
        secrets: "Ce qui est public, ce qui est secret",
        questions: "Les questions qui se posent à table",
    },
    clauses: {
        "R1.1": ["Le plateau", "Le plateau compte 5 × 5 cases : les colonnes a à e d'ouest en est, les rangées 1 à 5 du sud au nord. Deux cases sont adjacentes si elles ont un côté en commun ; un coin ne suffit pas.", "diagonale"],
        "R1.2": ["Les initiés", "Chacune des quatre sociétés a deux initiés, un grand et un petit. Tous deux commencent dans leur quartier général. Aucun initié n'appartient à un joueur.", "pion"],
        "R1.3": ["Quartiers généraux et Graal", "Les coins sont les quartiers généraux : {a1} pour les Templiers, {e1} pour les Assassins, {e5} pour les Illuminés, {a5} pour les Rosicruciens. Le Graal commence libre au centre : {c3}.", "QG maison"],
        "R1.4": ["La feuille d'influence", "Vous avez une feuille d'influence secrète de 24 pièces : quatre de chaque valeur, 10, 5, 4, 3, 2 et 1. Cela fait 100 points d'influence."],
        "R1.5": ["Les noms des cases", "Chaque case a un nom et une coordonnée, par exemple {d3}. Vous pouvez utiliser l'un ou l'autre."],

        "R2.1": ["Qui joue", "De 2 à 12 joueurs sont assis en cercle et jouent dans le sens des aiguilles d'une montre. Les joueurs choisissent qui commence, ou s'en remettent au hasard."],
        "R2.2": ["L'ouverture", "Avant le premier tour, tous placent des pièces sur des initiés, en secret et en même temps : toutes, quelques-unes ou aucune, sur autant d'initiés que l'on veut. Cela vaut quel que soit le nombre de joueurs.", "préparation"],
        "R2.3": ["Votre tour", "À votre tour, de deux choses l'une : vous assignez des points d'influence, ou vous faites des propositions jusqu'à ce que l'une d'elles soit exécutée."],

        "R3.1": ["L'annonce", "Au début de votre tour, vous pouvez annoncer que vous assignez des points d'influence. Cela seul est public. Combien et sur qui, c'est votre secret."],
        "R3.2": ["Placer des pièces", "Vous placez autant de pièces encore libres que vous voulez, chacune entière et sur un seul initié encore présent sur le plateau. Ne rien placer est permis aussi : c'est un bluff, possible même avec une feuille vide.", "bluffer passer"],
        "R3.3": ["Sur combien d'initiés", "À 2 ou 3 joueurs, les pièces peuvent aller sur plusieurs initiés. À partir de 4, toutes les pièces d'une même assignation vont sur le même initié."],
        "R3.4": ["Ce qui est placé le reste", "Une pièce placée ne bouge plus. Elle n'est jamais reprise, divisée, échangée ni déplacée.", "échanger reprendre annuler"],
        "R3.5": ["Votre influence", "Votre influence sur un initié est la somme des pièces que vous avez placées sur lui, moins ce que vous avez payé pour faire sauter des couvertures (R6.4)."],

        "R4.1": ["Un déplacement", "Vous pouvez proposer de déplacer n'importe quel initié du plateau vers une case adjacente, même sans la moindre influence sur lui. Peu importe qui s'y trouve ; il y a de la place pour tous.", "bouger pas"],
        "R4.2": ["Avec une couverture qui saute", "Une proposition peut inclure de faire sauter une couverture : un déplacement, puis la couverture, mais seulement à 2 ou 3 joueurs ; ou bien sur place, sans déplacement, quel que soit le nombre de joueurs."],
        "R4.3": ["Pas un mot sur le Graal", "Vous n'avez pas à dire ce que deviendra le Graal. Vous en décidez au moment où le déplacement est exécuté (R5.4)."],
        "R4.4": ["S'opposer", "Tout autre joueur peut s'opposer. Pour cela, il révèle une partie de son influence sur l'initié qui doit agir : au moins 1 point, au plus tout ce qu'il a. L'influence sur l'initié dont la couverture est menacée ne sert à rien.", "veto bloquer passer révéler montrer"],
        "R4.5": ["Insister ou céder", "Pour insister, vous révélez au moins autant d'influence sur cet initié que l'opposition en montre ; davantage est permis. Sinon, vous cédez, et la proposition est rejetée."],
        "R4.6": ["Et de nouveau", "Si vous insistez, tous les autres peuvent s'opposer de nouveau, même ceux qui s'étaient tus, en révélant plus que ce que vous avez révélé dans cette dispute. Cela continue jusqu'à ce que plus personne ne s'oppose – la proposition est alors exécutée – ou que vous cédiez.", "veto passer"],
        "R4.7": ["Chacun pour soi", "L'influence de plusieurs joueurs ne s'additionne jamais, et personne ne peut soutenir la proposition d'un autre.", "alliance équipe"],
        "R4.8": ["Ce qui est révélé est vrai", "Vous ne pouvez révéler que ce que vous avez, mais n'importe quelle part : même un nombre qui n'est pas une somme de vos pièces. Vous gardez ces points ; seulement, tout le monde les connaît désormais.", "bluffer mentir montrer"],
        "R4.9": ["Après un rejet", "C'est toujours à vous, et vous proposez autre chose : une autre case, un autre initié, une autre couverture. Vous ne pouvez ni répéter dans le même tour une proposition rejetée, ni assigner à la place (sauf R4.10)."],
        "R4.10": ["Quand tout a été rejeté", "Si tous les déplacements possibles de tous les initiés ont été rejetés pendant ce tour, vous pouvez tout de même assigner des points d'influence."],

        "R5.1": ["Partir avec le Graal", "Si l'initié porte le Graal, ou si le Graal est libre sur la case qu'il quitte, il y a trois possibilités : il arrive avec le Graal ; il l'emporte et le dépose sur la nouvelle case ; ou il le laisse sur l'ancienne.", "poser porter"],
        "R5.2": ["Trouver le Graal", "Si le Graal est libre sur la case d'arrivée, l'initié peut le prendre ou le laisser."],
        "R5.3": ["On ne le vole pas", "Le Graal ne peut pas être pris à celui qui le porte. Un seul moyen de le libérer : faire sauter la couverture du porteur (R6.5).", "voler échanger"],
        "R5.4": ["Qui décide, et quand", "Le joueur actif décide du sort du Graal une fois la proposition acceptée – et seulement s'il y a quelque chose à décider."],

        "R6.1": ["Qui, et contre qui", "L'initié qui agit fait sauter la couverture d'un autre initié qui se trouve sur la même case : après son déplacement, ou sans bouger. Ce peut être un membre de sa propre société.", "tuer capturer éliminer"],
        "R6.2": ["Il faut dix points", "Pour l'annoncer, vous devez avoir au moins 10 points sur l'initié qui agit. L'annonce le trahit : dès lors, tout le monde sait que vous en avez 10."],
        "R6.3": ["Ce qui se passe", "Si la proposition est acceptée, l'initié découvert quitte la partie. Chaque joueur rend publique toute l'influence qu'il avait sur lui ; elle est perdue.", "tuer capturer éliminer"],
        "R6.4": ["Le prix", "Le joueur actif paie 10 de ses points sur l'initié qui agit, définitivement. Une proposition rejetée ne coûte rien ; celle dont le déplacement met déjà fin à la partie non plus (R7.1)."],
        "R6.5": ["Le Graal est libre", "Si l'initié découvert portait le Graal, celui-ci reste sur la case, et l'initié qui agit peut le prendre aussitôt ou le laisser. Faire sauter une couverture sur place ne donne pas d'autre occasion de prendre ou de déposer le Graal."],
        "R6.6": ["Et c'est tout", "Faire sauter une couverture termine le déplacement. L'initié ne peut plus bouger ensuite."],
        "R6.7": ["À 4 joueurs ou plus", "Pendant votre tour, vous déplacez un initié ou vous faites sauter une couverture, jamais les deux. Il faut donc s'y mettre à deux – ou y consacrer deux tours."],

        "R7.1": ["Quand la partie finit", "La partie se termine dès qu'un initié a le Graal dans le quartier général de sa propre société : il l'y apporte, l'y trouve en arrivant et le prend, le ramasse en partant, ou le prend là après avoir fait sauter une couverture.", "gagner but"],
        "R7.2": ["Pas de retour", "Dans son propre quartier général, un initié ne peut pas déposer le Graal qu'il apporte : la partie est terminée. Et s'il l'y prend pour partir, elle se termine avant son déplacement."],
        "R7.3": ["Qui gagne", "On montre toutes les feuilles. Le joueur qui a le plus d'influence sur cet initié gagne. En cas d'égalité, le joueur actif, qui l'a déplacé, gagne – même s'il n'est pas parmi les ex æquo. Les pièces non placées ne comptent pas.", "gagner victoire"],
        "R7.4": ["Le quartier général d'une autre société", "Dans le quartier général d'une autre société, le Graal ne met pas fin à la partie, qu'il soit porté ou libre."],
        "R7.5": ["Limite de tours", "Les joueurs peuvent convenir d'un nombre de tours au bout duquel il y a match nul. Sinon, il n'y a pas de limite."],

        "R8.1": ["Quatre joueurs, quatre quartiers généraux", "Exactement 4 joueurs, avec les règles pour 4 ou plus. Chacun possède l'un des quartiers généraux."],
        "R8.2": ["La course vers les coins", "La partie se termine dès qu'un initié quelconque arrive avec le Graal dans un quartier général quelconque. Le propriétaire de ce quartier général gagne, quelle que soit l'influence. On ne peut pas y déposer le Graal en arrivant.", "gagner"],
        "R8.3": ["Ce qui ne s'applique pas", "La fin normale (R7.1 à R7.3) ne s'applique pas."],

        "R10.1": ["Public", "Tous voient le plateau et le Graal, à qui est le tour, les propositions, les oppositions et les rejets, ce qui a été révélé, payé et perdu, et qui a assigné des points d'influence. Pour chaque joueur et chaque initié, on retient le plus haut chiffre connu ; un paiement l'abaisse de 10."],
        "R10.2": ["Secret", "Les feuilles restent secrètes jusqu'à la fin. Rien de ce qu'un autre joueur peut voir ou mesurer n'en dit plus que ce qui est public."],
        "R10.3": ["Le bloc-notes", "Ce qu'on peut déduire de tout cela, le programme le note pour vous : le minimum et le maximum d'influence que chaque joueur peut avoir sur chaque initié."],
        "R10.4": ["À la fin", "Toutes les feuilles sont montrées, avec le tour où chaque pièce a été placée."],

        Q1: ["Un initié peut-il emporter le Graal de la case d'où il part ?", "Oui. Il suffit que le Graal y soit libre (R5.1)."],
        Q2: ["Dois-je annoncer ce que deviendra le Graal ?", "Non. On en décide une fois la proposition acceptée (R4.3)."],
        Q3: ["Puis-je annoncer une assignation et ne rien placer ?", "Oui, à tout moment. Sinon, l'annonce dirait que votre feuille n'est pas vide (R3.2).", "bluff"],
        Q4: ["À 2 ou 3 joueurs, peut-on faire sauter une couverture sur place ?", "Oui. Un déplacement préalable est alors possible, mais pas obligatoire (R4.2)."],
        Q5: ["Puis-je m'opposer d'abord et montrer mes points plus tard ?", "Non. Une opposition montre des points tout de suite. Grogner est permis, mais ce ne sont que des mots (R4.4)."],
        Q6: ["Puis-je répondre à une opposition par plus que nécessaire ?", "Oui. Cela peut abréger la dispute – et en dit plus sur vous (R4.5)."],
        Q7: ["Je me suis tu. Puis-je encore m'opposer dans cette dispute ?", "Oui, chaque fois que le joueur actif a insisté (R4.6)."],
        Q8: ["Plusieurs joueurs sont à égalité, mais pas celui qui a joué. Qui gagne ?", "Celui qui a joué, quelle que soit son influence (R7.3).", "gagner"],
        Q9: ["Le Graal est libre dans un quartier général et un membre de la société y est déjà. Peut-il terminer la partie ?", "Oui : proposez de le déplacer, et il prend le Graal en partant. La partie se termine sur-le-champ (R7.2)."],
        Q10: ["Que sont « tous les déplacements possibles » après lesquels je peux assigner ?", "Chaque déplacement de chaque initié vers chaque case adjacente. Les couvertures à faire sauter ne comptent pas, car elles dépendent d'une influence secrète (R4.10)."],
        Q11: ["À combien peut-on jouer ?", "De 2 à 12. À partir de 4, assigner et faire sauter une couverture sont un peu plus stricts (R3.3, R6.7)."],
        Q13: ["Dans quel ordre s'oppose-t-on ?", "Le programme interroge tout le monde en même temps et garde les réponses cachées jusqu'à la dernière. La première opposition à gauche du joueur actif est alors retenue ; après sa réponse, tous sont interrogés de nouveau."],
        Q14: ["J'ai déjà révélé 5 points. Comptent-ils dans une nouvelle dispute ?", "Chaque dispute part de zéro. Mais montrer encore ce que tous savent n'apprend rien à personne (R4.8)."],
    },
};

export default text;
