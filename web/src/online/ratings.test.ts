import { expect, test } from "vitest";
import { plotOf, ratingClasses, sayChange, sayRatingClass } from "./ratings";

test("each of the nine classes has words of its own", () => {
    expect(sayRatingClass("2-live")).toBe("2 players, live");
    expect(sayRatingClass("3-4-days")).toBe("3–4 players, by days");
    expect(sayRatingClass("5+-computers")).toBe("5+ players, against computers");
    expect(new Set(ratingClasses.map(sayRatingClass)).size).toBe(9);
});

test("a change has its sign", () => {
    expect([12, -3, 0].map(sayChange)).toEqual(["+12", "−3", "±0"]);
});

test("a rating goes from left to right by time, and fills the height but for a little", () => {
    const games = [
        { time: 0, points: 1400, margin: 600 },
        { time: 25, points: 1600, margin: 100 },
        { time: 100, points: 1500, margin: 50 },
    ];
    const { line, band, ticks, last } = plotOf(games, 200, 120);
    expect(line).toBe("0.0,110.0 50.0,10.0 200.0,60.0");
    expect(band).toBe("0.0,-190.0 50.0,-40.0 200.0,35.0 200.0,85.0 50.0,60.0 0.0,410.0");
    expect(ticks.map(({ points }) => points)).toEqual([1400, 1450, 1500, 1550, 1600]);
    expect(last).toEqual({ x: 200, y: 60 });
});

test("a single game is a point in the middle, with round figures beside it", () => {
    const { line, ticks } = plotOf([{ time: 7, points: 1513, margin: 600 }], 200, 80);
    expect(line).toBe("100.0,40.0");
    expect(ticks.map(({ points }) => points)).toEqual([1480, 1500, 1520, 1540]);
});
