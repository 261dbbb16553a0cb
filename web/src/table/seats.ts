// What tells players apart in charts: a colour (seats.css has it for light and dark) and a kind of line.
export const dashes = ["", "7 3", "2 3", "10 3 2 3", "5 2 1 2", "12 4", "1 3", "7 2 2 2 2 2", "4 4", "9 2", "3 6", "6 2 6 6"] as const;

export const seatColour = (seat: number): string => `var(--seat-${((seat - 1) % 12) + 1})`;
export const seatDash = (seat: number): string => dashes[(seat - 1) % dashes.length]!;
