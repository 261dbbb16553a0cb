import type { RulesText } from "./clauses";

const text: RulesText = {
    intro:
        "Eight initiates of four secret societies hunt for one grail. They belong to nobody: every player may move every one of them. You secretly spread your influence over them. When an initiate brings the grail home to his headquarters, the player with the most influence on him wins – no matter who moved him there.",
    sections: {
        material: "Board, initiates, influence",
        opening: "Players and opening",
        influence: "Assigning influence",
        proposals: "Proposals and objections",
        grail: "Moving, and the grail",
        uncovering: "Uncovering",
        end: "End of the game",
        original: "Variant: The Original",
        secrets: "What is public and what is secret",
        questions: "Questions that come up at the table",
    },
    clauses: {
        "R1.1": ["The board", "The board has 5 × 5 fields: columns a to e from west to east, rows 1 to 5 from south to north. Two fields are adjacent if they share a side; touching corners don't count.", "diagonal"],
        "R1.2": ["The initiates", "Each of the four societies has two initiates, a tall one and a short one. Both start in their headquarters. No initiate belongs to any player.", "pawn piece"],
        "R1.3": ["Headquarters and grail", "The corners are the headquarters: {a1} of the Templars, {e1} of the Assassins, {e5} of the Illuminates, {a5} of the Rosicrucians. The grail starts free in the middle, on {c3}.", "HQ home"],
        "R1.4": ["The influence sheet", "You have a secret influence sheet with 24 units: four each of 10, 5, 4, 3, 2 and 1. That makes 100 influence points."],
        "R1.5": ["Names of the fields", "Every field has a name and a coordinate, such as {d3}. You can use either."],

        "R2.1": ["Who plays", "2 to 12 players sit in a circle and play clockwise. The players decide who starts, or leave it to chance."],
        "R2.2": ["The opening", "Before the first turn, everyone secretly and simultaneously places units on initiates: all of them, some or none, on as many initiates as they like. This applies to any number of players.", "setup"],
        "R2.3": ["Your turn", "On your turn you do one of two things: assign influence, or make proposals until one of them is carried out."],

        "R3.1": ["Announcing an assignment", "At the beginning of your turn you may announce that you are assigning influence. That much is public. How much goes where remains your secret."],
        "R3.2": ["Placing units", "You place any number of unused units, each one whole and on a single initiate who is still on the board. You may also place nothing: that's a bluff, and you can do it even with an empty sheet.", "pass skip"],
        "R3.3": ["How many initiates", "With 2 or 3 players, you may spread the units over several initiates. With 4 or more, all units of one assignment go to the same initiate."],
        "R3.4": ["Placed is placed", "Once placed, a unit stays where it is. It can't be taken back, split, exchanged or moved.", "swap undo"],
        "R3.5": ["Your influence", "Your influence on an initiate is the sum of your units on him, minus what you have paid for uncovering (R6.4)."],

        "R4.1": ["A move", "You may propose to move any initiate on the board to an adjacent field, even if you have no influence on him. It doesn't matter who is already there; a field has room for everyone.", "step"],
        "R4.2": ["With an uncovering", "A proposal may include an uncovering: a move followed by an uncovering, but only with 2 or 3 players; or an uncovering on the spot, with any number of players."],
        "R4.3": ["Not a word about the grail", "You don't have to say what will happen to the grail. You decide that when the move is carried out (R5.4)."],
        "R4.4": ["Objecting", "Every other player may object. To object, you reveal part of your influence on the initiate who would act: at least 1 point, at most all of it. Influence on the one to be uncovered doesn't count.", "veto protest block pass"],
        "R4.5": ["Insist or yield", "To insist on your proposal, you reveal at least as much influence on that initiate as the objection did; more is allowed. Otherwise you yield, and the proposal is rejected."],
        "R4.6": ["And again", "If you insist, everyone else may object again, even someone who has kept silent so far, by revealing more than you have revealed in this dispute. This goes on until nobody objects – then the proposal is carried out – or you yield.", "veto pass"],
        "R4.7": ["Everyone for themselves", "Players can't combine their influence, and nobody can support another player's proposal.", "alliance team"],
        "R4.8": ["What is revealed is true", "You can only reveal what you have, but you may reveal any part of it, even a number your units don't add up to. You keep the points, but from now on everyone knows about them.", "bluff lie"],
        "R4.9": ["After a rejection", "It is still your turn, and you propose something else: another field, another initiate, another uncovering. You can't repeat a rejected proposal in the same turn or assign influence instead (R4.10 is the exception)."],
        "R4.10": ["When everything is rejected", "If every possible move of every initiate has been rejected this turn, you may assign influence after all."],

        "R5.1": ["Setting off with the grail", "If the initiate carries the grail, or it is free on the field he leaves, there are three choices: he arrives with it; he takes it along and puts it down on the new field; or he leaves it on the old one.", "drop carry"],
        "R5.2": ["Finding the grail", "If the grail is free on the field where he arrives, he may take it or leave it."],
        "R5.3": ["Nobody steals it", "The grail can't be taken from the initiate who carries it. It becomes free only if he is uncovered (R6.5).", "rob swap"],
        "R5.4": ["Who decides, and when", "The active player decides what happens to the grail once the proposal has been accepted – and only if there is something to decide."],

        "R6.1": ["Who uncovers whom", "The acting initiate uncovers another one on the same field: after his move, or without moving. It may be a member of his own society.", "kill capture remove"],
        "R6.2": ["Ten points needed", "To announce an uncovering, you need at least 10 points on the acting initiate. The announcement gives that away: from now on everyone knows about 10 points."],
        "R6.3": ["What happens", "If the proposal is accepted, the uncovered initiate leaves the game. All players reveal how much influence they had on him; it is lost.", "kill capture remove"],
        "R6.4": ["The price", "The active player pays 10 of their points on the acting initiate, for good. A rejected proposal costs nothing; neither does one whose move already ends the game (R7.1)."],
        "R6.5": ["The grail is free", "If the uncovered initiate carried the grail, it is now free on that field, and the acting initiate may take it at once or leave it. Otherwise, an uncovering on the spot gives no chance to take the grail or put it down."],
        "R6.6": ["Uncovering comes last", "An uncovering ends the move. The initiate can't move on afterwards."],
        "R6.7": ["With 4 or more players", "On your turn you may move or uncover, never both. So two players must work together – or one player needs two turns."],

        "R7.1": ["When the game ends", "The game ends at once when an initiate has the grail in his own society's headquarters: he carries it in, takes it there on arrival, picks it up there when setting off, or takes it there after an uncovering.", "win goal"],
        "R7.2": ["No way back", "In his own headquarters, an initiate can't put down the grail he brings: the game is over. And if he picks it up there to set off, the game ends before he moves."],
        "R7.3": ["Who wins", "All sheets are revealed. The player with the most influence on this initiate wins. In a tie, the active player who moved him wins – even without being one of the tied players. Units not placed don't count.", "equal"],
        "R7.4": ["Another society's headquarters", "The game doesn't end when the grail is in another society's headquarters, whether it is carried or free."],
        "R7.5": ["Turn limit", "The players may agree on a number of turns after which the game is a draw. Otherwise there is no limit."],

        "R8.1": ["Four players, four headquarters", "Exactly 4 players play by the rules for 4 or more players. Each of them owns one headquarters."],
        "R8.2": ["A race to the corners", "The game ends at once when any initiate arrives in any headquarters with the grail. The owner of that headquarters wins, regardless of influence. The grail can't be put down on arrival there."],
        "R8.3": ["What doesn't apply", "The standard ending (R7.1 to R7.3) doesn't apply."],

        "R10.1": ["Public", "Everyone sees the board and the grail, whose turn it is, proposals, objections and rejections, what has been revealed, paid and lost, and who has assigned influence. For each player and initiate, the highest number known so far is kept; a payment lowers it by 10."],
        "R10.2": ["Secret", "The sheets stay secret until the end. Nothing another player can see or measure gives away more than what is public."],
        "R10.3": ["The notepad", "The program notes for you what can be worked out from all this: the least and the most influence each player can have on each initiate."],
        "R10.4": ["At the end", "All sheets are shown, with the turn in which each unit was placed."],

        Q1: ["May an initiate take the grail from the field he leaves?", "Yes, if it is free there (R5.1)."],
        Q2: ["Do I have to announce what will happen to the grail?", "No. You decide that after the proposal has been accepted (R4.3)."],
        Q3: ["May I announce an assignment and place nothing?", "Yes, at any time. Otherwise the announcement would show that your sheet isn't empty (R3.2).", "bluff"],
        Q4: ["Is uncovering on the spot allowed with 2 or 3 players?", "Yes. With 2 or 3 players, a move before it is possible but not required (R4.2)."],
        Q5: ["May I object first and show points later?", "No. An objection shows points at once. Grumbling is free, but it's only talk (R4.4)."],
        Q6: ["May I answer an objection with more than needed?", "Yes. That can end the dispute sooner – but it gives away more (R4.5)."],
        Q7: ["I kept silent. May I still object in this dispute?", "Yes, each time the active player has insisted (R4.6)."],
        Q8: ["Several players tie, but not the one who moved. Who wins?", "The one who moved, whatever their influence (R7.3)."],
        Q9: ["The grail is free in a headquarters, and a member of that society is already there. Can he end the game?", "Yes: propose to move him, and he picks up the grail as he sets off. The game ends on the spot (R7.2)."],
        Q10: ["What counts as “every possible move” before I may assign?", "Every move of every initiate to every adjacent field. Uncoverings don't count, because they depend on secret influence (R4.10)."],
        Q11: ["How many can play?", "2 to 12. With 4 or more, assigning and uncovering are a little stricter (R3.3, R6.7)."],
        Q13: ["In what order do we object?", "The program asks everyone at the same time and keeps the answers hidden until the last one is in. Then the first objection to the left of the active player counts; after the active player's answer, everyone is asked again."],
        Q14: ["I revealed 5 points earlier. Do they count in a new dispute?", "Each dispute starts at zero. But showing again what everyone knows gives nothing away (R4.8)."],
    },
};

export default text;
