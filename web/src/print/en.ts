import type { PrintText } from "./shop";

const text: PrintText = {
    intro: "Everything a table needs, to print and cut out. Black and white is fine; thick paper or cardboard makes it last.",
    paper: "Paper",
    letter: "US Letter",
    once: "one of each",
    what: "What to print",
    lines: "Solid lines: cut. Dashed lines: fold.",
    pdf: "All pages as a PDF",
    hint: "Print at 100% (“actual size”), without headers and footers.",
    kinds: {
        board: ["Board on one page", "19 × 19 cm, for the small figures.", "Glue it onto cardboard, or play on it as it is."],
        tiles: [
            "Board at table size",
            "50 × 50 cm in six parts, for the large figures.",
            "Print at 100%. Cut each part along the marks and tape them together from behind.",
        ],
        figures: [
            "Figures and grail",
            "The large ones for the board at table size, the small ones for the board on one page.",
            "Cut out the strips. Fold them in half, picture outside, and glue; fold the feet outwards so that they stand.",
        ],
        sheets: ["Influence sheets, two per page", "One for each player, at a table of up to 7.", "Cut in half. Keep yours behind your screen."],
        sheet: ["Influence sheets, one per page", "One for each player, at a table of up to 12.", "Nothing to cut. Keep yours behind your screen."],
        screens: [
            "Privacy screens",
            "One for each player; the rules in short are inside.",
            "Cut out. Fold in half along the middle, print outside; then fold both wings towards you.",
        ],
        cards: ["Reference cards", "One for each player.", "Cut them apart."],
        leaflet: [
            "Rules with an example",
            "The whole rules, to read before the game and to settle an argument.",
            "Print on both sides of one sheet, or on two.",
        ],
        twelve: [
            "Public record for large tables",
            "For up to 12 players: what everyone has shown. It lies open beside the board.",
            "Nothing to cut. One player writes; a higher number replaces the old one.",
        ],
    },
    part: "{name}, part {n} of 6",
    sheet: {
        player: "Player",
        units: "Next to each unit, write which initiate it goes to and in which turn.",
        mine: "My influence",
        paid: "Paid (10 each)",
        shown: "The others have shown at least",
    },
    card: {
        title: "Your turn",
        rules: [
            ["Assign …", "Say so, then secretly place any number of units, even none. With 4 or more players: all on one initiate."],
            ["… or propose", "Any initiate moves to an adjacent field, or uncovers another. If it is rejected, propose something else."],
            ["Objecting", "Reveal at least 1 point of your influence on the initiate who would act."],
            ["Insist or yield", "Reveal at least as much to insist. Then the others may object again, by revealing more. Revealed points stay yours."],
            [
                "The grail",
                "When an initiate moves, he may take along or leave the grail that he carries or that is free on his field; on arrival he may put it down, or take it if it is free there. Nobody can take it from its bearer.",
            ],
            [
                "Uncovering",
                "Needs and costs 10 of your points on the acting initiate. Both are on the same field. The uncovered one leaves the game; everyone shows the influence they had on him. Right after a move only with 2 or 3 players.",
            ],
            [
                "The end",
                "An initiate has the grail in his own headquarters: whoever has the most influence on him wins. In a tie, the player who moved him wins.",
            ],
        ],
    },
    example: {
        title: "An example",
        text: [
            "Anna, Ben and Carla are playing. {I1} carries the grail and stands on {d4}, two moves from home. {T1} stands next to him, on {d3}.",
            "Anna proposes to move {I1} to {d5}. Ben objects and reveals 3 points on him; Anna reveals 3 as well and insists. Carla, silent so far, reveals 5, and Anna reveals 5, too. Now Ben reveals 8. Anna has 12 but would rather hide that: she yields. Instead she proposes to move {R2} to {b5}. Nobody objects, and he moves.",
            "Ben proposes to move {T1} to {d4} and uncover {I1} there. So everyone knows that Ben has at least 10 points on {T1}. Nobody can or wants to stop it: {I1} leaves the game, and Anna's 12, Ben's 8 and Carla's 5 points on him are made public and lost. Ben pays 10 of his 14 points on {T1} – who takes the grail. (With 4 or more players, the move and the uncovering would have been two turns.)",
            "Much later {T1} is one move from home with the grail, and Carla proposes it. Ben objects with all the 4 points he has left. Carla reveals 4: equal is enough. Anna also has influence on him, but sees that Carla can match it. The game ends. On {T1} Anna has 6, Ben 4, Carla 6: a tie – and Carla moved him. Carla wins.",
        ],
    },
    twelve: {
        assigned: "Assigned",
        title: "When many are playing",
        advice: [
            "For twelve you need 12 sheets (one per page), 12 screens, 12 cards, the board at table size and one page of figures.",
            "Sit in a circle. Whoever is to move says the proposal aloud, moves nothing yet and looks around once: objections come clockwise.",
            "Whoever is out of influence still plays: any initiate may be proposed, and announcing an assignment with an empty sheet is a bluff.",
            "A stroke under “Assigned” for each assignment. After an uncovering, cross out the initiate's column and lower the number of the one who paid by 10.",
        ],
    },
};

export default text;
