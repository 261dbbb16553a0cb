// The clauses of the rules, as tests, refusals and this help cite them. A language is one file beside this one; a
// clause that it lacks is an error of the compiler.

export const sections = {
    material: ["R1.1", "R1.2", "R1.3", "R1.4", "R1.5"],
    opening: ["R2.1", "R2.2", "R2.3"],
    influence: ["R3.1", "R3.2", "R3.3", "R3.4", "R3.5"],
    proposals: ["R4.1", "R4.2", "R4.3", "R4.4", "R4.5", "R4.6", "R4.7", "R4.8", "R4.9", "R4.10"],
    grail: ["R5.1", "R5.2", "R5.3", "R5.4"],
    uncovering: ["R6.1", "R6.2", "R6.3", "R6.4", "R6.5", "R6.6", "R6.7"],
    end: ["R7.1", "R7.2", "R7.3", "R7.4", "R7.5"],
    original: ["R8.1", "R8.2", "R8.3"],
    secrets: ["R10.1", "R10.2", "R10.3", "R10.4"],
    questions: ["Q1", "Q2", "Q3", "Q4", "Q5", "Q6", "Q7", "Q8", "Q9", "Q10", "Q11", "Q13", "Q14"],
} as const;

export type Section = keyof typeof sections;
export type Clause = (typeof sections)[Section][number];

/** Heading (of a question: the question) and text; then words that it lacks, but that somebody may look for it by. Gaps: {b1}
 * is the name of a field, {T1} of an initiate. */
export type ClauseText = readonly [heading: string, text: string, words?: string];

export interface RulesText {
    readonly intro: string;
    readonly sections: Readonly<Record<Section, string>>;
    readonly clauses: Readonly<Record<Clause, ClauseText>>;
}

export const allClauses: readonly Clause[] = Object.values(sections).flat();
export const isClause = (text: string): text is Clause => (allClauses as readonly string[]).includes(text);
