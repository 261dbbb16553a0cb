import type { RulesText } from "./clauses";

const text: RulesText = {
    intro:
        "Eight initiates of four secret societies hunt for one grail. They belong to nobody: every player may move every one of them. In secret you spread influence over them. When an initiate brings the grail home to his headquarters, the player with the most influence on him wins – whoever moved him there.",
    sections: {
        material: "Board, initiates, influence",
        opening: "Players and opening",
        influence: "Assigning influence",
        proposals: "Proposals and objections",
        grail: "Moving, and the grail",
        uncovering: "Uncovering",
        end: "The end",
        original: "Variant: The Original",
        secrets: "What is public, what is secret",
        questions: "Questions that come up at the table",
    },
    clauses: {
        "R1.1": ["The board", "The board has 5 × 5 fields: columns a to e from west to east, rows 1 to 5 from south to north. Two fields are adjacent when they share a side; touching at a corner is not enough.", "diagonal"],
        "R1.2": ["The initiates", "Each of the four societies has two initiates, a tall one and a short one. At the start both stand on their headquarters. No initiate belongs to a player.", "pawn piece"],
        "R1.3": ["Headquarters and grail", "The corners are the headquarters: {a1} of the Templars, {e1} of the Assassins, {e5} of the Illuminates, {a5} of the Rosicrucians. The one grail starts in the middle, on {c3}, and lies free.", "HQ home"],
        "R1.4": ["The influence sheet", "You have a secret influence sheet with 24 units: four each of 10, 5, 4, 3, 2 and 1. Together that is 100 influence points."],
        "R1.5": ["Names of the fields", "Every field has a name and a coordinate, such as {d3}. Either will do."],

        "R2.1": ["Who plays", "2 to 12 players sit in a circle and play clockwise. The table, or chance, decides who begins."],
        "R2.2": ["The opening", "Before the first turn everybody places units on initiates, in secret and at the same time: all of them, some or none, on as many initiates as you like. This holds for any number of players.", "setup"],
        "R2.3": ["Your turn", "In your turn you do one of two things: assign influence, or propose until a proposal of yours is carried out."],

        "R3.1": ["Announcing it", "At the beginning of your turn you may announce that you assign. That much is public. How much goes where stays your secret."],
        "R3.2": ["Placing units", "You place any number of unused units, each one whole and on a single initiate who is still on the board. Placing nothing is fine too: a bluff, which even an empty sheet allows.", "pass skip"],
        "R3.3": ["On how many initiates", "With 2 or 3 players you may spread the units over several initiates. With 4 or more, all units of one assignment go to the same initiate."],
        "R3.4": ["Placed is placed", "A unit that you have placed stays where it is. It is never taken back, split, changed or moved.", "swap exchange undo"],
        "R3.5": ["Your influence", "Your influence on an initiate is the sum of your units there, less what you have paid for uncovering (R6.4)."],

        "R4.1": ["A step", "You may propose a step for any initiate on the board, even without any influence on him: to an adjacent field. It does not matter who stands there; a field has room for all.", "move"],
        "R4.2": ["With an uncovering", "A proposal may contain an uncovering: a step with an uncovering after it, but only with 2 or 3 players; or an uncovering on the spot, with any number of players."],
        "R4.3": ["Not a word about the grail", "You need not say what will happen to the grail. You decide that when the step is carried out (R5.4)."],
        "R4.4": ["Objecting", "Every other player may object. To do so you reveal part of your influence on the initiate who is to act: 1 point at least, all of it at most. Influence on the one to be uncovered does not help.", "veto protest block pass"],
        "R4.5": ["Insist or yield", "If you want to insist on your proposal, you reveal at least as much influence on that initiate as the objection shows; more is allowed. Otherwise you yield, and the proposal is rejected."],
        "R4.6": ["And again", "After you insist, everybody else may object again, also somebody who has kept silent so far, by revealing more than you have revealed in this dispute. This goes on until nobody objects – then the proposal is carried out – or you yield.", "veto pass"],
        "R4.7": ["Everybody for himself", "The influence of several players is never added up, and nobody can support the proposal of another.", "alliance team"],
        "R4.8": ["What is revealed is true", "You can only reveal what you have, but it may be any part of it: also a number that is no sum of your units. You keep the points; but from now on everybody knows of them.", "bluff lie"],
        "R4.9": ["After a rejection", "It is still your turn, and you propose something else: another field, another initiate, another uncovering. You cannot repeat a rejected proposal in the same turn, nor assign instead (R4.10 is the exception)."],
        "R4.10": ["When everything was rejected", "If every possible step of every initiate has been rejected in this turn, you may assign after all."],

        "R5.1": ["Setting off with the grail", "If the initiate carries the grail, or it lies free on the field he leaves, there are three ways: he arrives with it; he takes it along and puts it down on the new field; or he leaves it lying on the old one.", "drop carry"],
        "R5.2": ["Finding the grail", "If the grail lies free on the field where he arrives, he may take it up or let it lie."],
        "R5.3": ["Nobody steals it", "The grail cannot be taken from an initiate who carries it. Only uncovering him sets it free (R6.5).", "rob swap"],
        "R5.4": ["Who decides, and when", "The active player decides about the grail, after the proposal has been accepted – and only if there is something to decide."],

        "R6.1": ["Who uncovers whom", "The acting initiate uncovers another one who stands on the same field: after his step, or where he is. It may be one of his own society.", "kill capture remove"],
        "R6.2": ["Ten points needed", "To announce an uncovering you must have 10 points or more on the acting initiate. The announcement gives that away: from now on everybody knows of 10 points."],
        "R6.3": ["What happens", "If the proposal is accepted, the uncovered initiate leaves the game. All players make public how much influence they had on him; it is lost.", "kill capture remove"],
        "R6.4": ["The price", "The active player pays 10 of his points on the acting initiate, for good. A rejected proposal costs nothing; nor does one whose step already ends the game (R7.1)."],
        "R6.5": ["The grail is free", "If the uncovered initiate carried the grail, it now lies on that field, and the acting initiate may take it at once or let it lie. There is no other chance to take or put down the grail in an uncovering on the spot."],
        "R6.6": ["Then it is over", "The uncovering ends the move. There is no step after it."],
        "R6.7": ["With 4 or more players", "A turn is a step or an uncovering, never both. So two players must work together – or one needs two turns."],

        "R7.1": ["When the game ends", "The game ends at once when an initiate holds the grail on the headquarters of his own society: he carries it in, finds it there on arrival, takes it up there when he sets off, or takes it there after an uncovering.", "win goal"],
        "R7.2": ["No way back", "On his own headquarters an initiate cannot put down the grail that he brings: the game is over. And if he takes it up there to set off, the game ends before his step."],
        "R7.3": ["Who wins", "All sheets are opened. The player with the most influence on this initiate wins. If several have the most, the active player wins, who moved him – even if he is not one of them. Units still on the sheet do not count.", "tie equal"],
        "R7.4": ["A strange headquarters", "The grail on the headquarters of another society ends nothing, whether it is carried or lies free."],
        "R7.5": ["A limit of turns", "A table may agree on a number of turns after which the game is a draw. Without such an agreement there is no limit."],

        "R8.1": ["Four players, four homes", "Exactly 4 players play by the rules for 4 or more. Each of them owns one of the headquarters."],
        "R8.2": ["A race to the corners", "The game ends at once when any initiate arrives on any headquarters with the grail. The owner of that headquarters wins, whatever the influence. The grail cannot be put down on arrival there."],
        "R8.3": ["What does not apply", "The ordinary end (R7.1 to R7.3) does not apply."],

        "R10.1": ["Public", "Everybody sees the board and the grail, whose turn it is, proposals, objections and rejections, what has been revealed, paid and lost, and that somebody has assigned. For each player and initiate the highest figure known so far is kept; a payment lowers it by 10."],
        "R10.2": ["Secret", "The sheets are secret to the end. Nothing that another player can see or measure tells more than what is public."],
        "R10.3": ["The notepad", "What can be worked out from all this, the program notes for you: the least and the most influence that each player can have on each initiate."],
        "R10.4": ["At the end", "All sheets are shown, with the turn in which each unit was placed."],

        Q1: ["May an initiate take the grail from the field he sets off from?", "Yes. It is enough that it lies free there (R5.1)."],
        Q2: ["Must I announce what will happen to the grail?", "No. That is decided after the proposal has been accepted (R4.3)."],
        Q3: ["May I announce an assignment and place nothing?", "Yes, at any time. Otherwise the announcement would tell that your sheet is not empty (R3.2).", "bluff"],
        Q4: ["Is uncovering on the spot allowed with 2 or 3 players?", "Yes. With 2 or 3 players a step before it is possible, not required (R4.2)."],
        Q5: ["May I object first and show points later?", "No. An objection shows points at once. Grumbling is free, but it is only talk (R4.4)."],
        Q6: ["May I answer an objection with more than needed?", "Yes. That can end the dispute sooner – and tells more about you (R4.5)."],
        Q7: ["I kept silent. May I still object in this dispute?", "Yes, each time the active player has insisted (R4.6)."],
        Q8: ["Several players tie, but not the one who moved. Who wins?", "The one who moved, with whatever influence he has (R7.3)."],
        Q9: ["The grail lies on a headquarters and a member already stands there. Can he end the game?", "Yes: he is to set off, and takes up the grail as he does. The game ends on the spot (R7.2)."],
        Q10: ["What are “all possible steps” after which I may assign?", "Every step of every initiate to every adjacent field. Uncoverings do not count, for they depend on secret influence (R4.10)."],
        Q11: ["How many can play?", "2 to 12. From 4 on, assigning and uncovering are a little stricter (R3.3, R6.7)."],
        Q13: ["In which order do we object?", "The program asks all at the same time and keeps the answers hidden until the last one is in. Then the first objection to the left of the active player counts; after his answer all are asked again."],
        Q14: ["I revealed 5 points earlier. Do they count in a new dispute?", "Each dispute starts at zero. But showing again what everybody knows tells nothing new (R4.8)."],
    },
};

export default text;
