// Ratings beside another implementation of the same method. The native program of tests/rated_games.c plays, and openskill
// works out each of its games from the same ratings.
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { rate, rating } from "openskill";
import { expect, test } from "vitest";

const games = 4000;

test(`${games} random games of 2 to 12 people give the ratings that openskill gives`, () => {
    const gral = process.env.GRAL;
    if (!gral) throw new Error("GRAL must name the native program");
    const printed = execFileSync(join(dirname(gral), "tests/rated_games"), [String(games)], { encoding: "utf8", maxBuffer: 1 << 26 });
    const lines = printed.trim().split("\n");
    expect(lines).toHaveLength(games);
    let farthest = 0;
    for (const line of lines) {
        const numbers = line.split(" ").map(Number);
        const people = Array.from({ length: numbers.length / 5 }, (_, person) => numbers.slice(5 * person, 5 * person + 5));
        const rated = rate(
            people.map(([, mu, sigma]) => [rating({ mu: mu!, sigma: sigma! })]),
            { rank: people.map(([place]) => 1 + place!) /* it takes 0 for none */, tau: 25 / 300 },
        );
        people.forEach(([, , , strength, doubt], person) => {
            const { mu, sigma } = rated[person]![0]!;
            farthest = Math.max(farthest, Math.abs(mu - strength!), Math.abs(sigma - doubt!));
        });
    }
    expect(farthest).toBeLessThan(1e-9);
});
