import { expect, test } from "vitest";
import { lineThrough, ratingClasses, sayChange, sayRatingClass } from "./ratings";

test("each of the nine classes has words of its own", () => {
    expect(sayRatingClass("2-live")).toBe("2 players, live");
    expect(sayRatingClass("3-4-days")).toBe("3–4 players, by days");
    expect(sayRatingClass("5+-computers")).toBe("5+ players, against computers");
    expect(new Set(ratingClasses.map(sayRatingClass)).size).toBe(9);
});

test("a change has its sign", () => {
    expect([12, -3, 0].map(sayChange)).toEqual(["+12", "−3", "±0"]);
});

test("a line goes from the left edge to the right one, and stays within", () => {
    expect(lineThrough([1500, 1540], 100, 80)).toBe("0.0,60.0 100.0,20.0");
    expect(lineThrough([1500], 100, 40)).toBe("0.0,20.0");
});
