// A game as a picture to send: who won with whom, everybody's bar, and what made it. It is painted here, on a canvas: nothing leaves
// this device until somebody sends it.
import { FACES } from "../art/faces";
import { GROUND, PORTRAITS, type Layer } from "../art/portraits";
import type { Character } from "../lib/characters";
import { societyOf, type Pawn } from "../lib/initiates";

export interface Picture {
    /** Over everything: the game's name. */
    readonly game: string;
    readonly headline: string;
    readonly subtitle: string;
    /** With whom it was won; null if nobody did. */
    readonly pawn: Pawn | null;
    readonly bars: readonly {
        readonly name: string;
        readonly face: Character | null;
        readonly points: number;
        readonly part: number;
        readonly winner: boolean;
    }[];
    readonly told: readonly { readonly title: string; readonly text: string }[];
    /** Where it can be seen. */
    readonly where: string;
}

const width = 1080;
const height = 1350;
const edge = 72;
const ink = { night: "#141832", deep: "#0c0f22", gold: "#e6b95c", paper: "#f6ecd4", soft: "#b9b6cc", bar: "#6f7396" };

type Brush = CanvasRenderingContext2D;

function medallion(brush: Brush, { ground, layers }: { ground: readonly [string, string]; layers: readonly Layer[] }, x: number, y: number, size: number) {
    const disc = (cx: number, cy: number, r: number) => {
        const path = new Path2D();
        path.arc(cx, cy, r, 0, 2 * Math.PI);
        return path;
    };
    brush.save();
    brush.translate(x, y);
    brush.scale(size / 100, size / 100);
    brush.fillStyle = ground[0];
    brush.fill(disc(50, 50, 46));
    brush.save();
    brush.clip(disc(50, 50, 45));
    brush.fillStyle = ground[1];
    brush.fill(disc(46, 40, 34));
    brush.lineCap = brush.lineJoin = "round";
    for (const [colour, d, stroke, dash] of layers) {
        brush.setLineDash(dash ? dash.split(" ").map(Number) : []);
        brush.fillStyle = brush.strokeStyle = colour;
        brush.lineWidth = stroke ?? 0;
        if (stroke) brush.stroke(new Path2D(d));
        else brush.fill(new Path2D(d));
    }
    brush.restore();
    brush.strokeStyle = ink.gold;
    brush.lineWidth = 3;
    brush.stroke(disc(50, 50, 47));
    brush.restore();
}

function linesOf(brush: Brush, text: string, room: number, most: number): string[] {
    const lines: string[] = [];
    for (const word of text.split(" ")) {
        const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word;
        if (lines.length > 0 && brush.measureText(longer).width <= room) lines[lines.length - 1] = longer;
        else lines.push(word);
    }
    if (lines.length <= most) return lines;
    return [...lines.slice(0, most - 1), `${lines[most - 1]}…`];
}

/** Returns where the next thing goes. */
function write(brush: Brush, text: string, at: { x: number; y: number; room: number; font: string; colour: string; line: number; most?: number }): number {
    brush.font = at.font;
    brush.fillStyle = at.colour;
    const lines = linesOf(brush, text, at.room, at.most ?? 3);
    lines.forEach((line, index) => brush.fillText(line, at.x, at.y + index * at.line));
    return at.y + lines.length * at.line;
}

/** The picture as a PNG. */
export async function paint({ game, headline, subtitle, pawn, bars, told, where }: Picture): Promise<Blob> {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width, height];
    const brush = canvas.getContext("2d")!;
    const style = getComputedStyle(document.documentElement);
    const serif = style.getPropertyValue("--serif") || "serif";
    const sans = style.getPropertyValue("--sans") || "sans-serif";
    const room = width - 2 * edge;

    const night = brush.createRadialGradient(width / 2, 180, 60, width / 2, 400, 1100);
    night.addColorStop(0, "#39345f");
    night.addColorStop(0.5, ink.night);
    night.addColorStop(1, ink.deep);
    brush.fillStyle = night;
    brush.fillRect(0, 0, width, height);
    brush.strokeStyle = ink.gold;
    brush.lineWidth = 3;
    brush.strokeRect(24, 24, width - 48, height - 48);
    brush.textBaseline = "top";

    write(brush, game, { x: edge, y: 62, room, font: `600 34px ${serif}`, colour: ink.gold, line: 40, most: 1 });
    const beside = pawn ? 250 : 0;
    if (pawn) medallion(brush, { ground: GROUND[societyOf(pawn)], layers: PORTRAITS[pawn] }, edge, 130, 220);
    let y = write(brush, headline, { x: edge + beside, y: 140, room: room - beside, font: `700 56px ${serif}`, colour: ink.paper, line: 64 });
    y = write(brush, subtitle, { x: edge + beside, y: y + 8, room: room - beside, font: `400 30px ${sans}`, colour: ink.soft, line: 40 });
    y = Math.max(y, pawn ? 370 : 0) + 24;

    const step = Math.min(72, 400 / Math.max(1, bars.length));
    for (const { name, face, points, part, winner } of bars) {
        const size = step - 8;
        if (face) medallion(brush, FACES[face], edge, y, size);
        brush.textBaseline = "middle";
        write(brush, name, {
            x: edge + size + 14,
            y: y + size / 2,
            room: 240,
            font: `${winner ? 700 : 500} ${Math.min(30, step * 0.5)}px ${sans}`,
            colour: ink.paper,
            line: 0,
            most: 1,
        });
        const from = edge + 340;
        brush.fillStyle = winner ? ink.gold : ink.bar;
        brush.beginPath();
        brush.roundRect(from, y + size * 0.25, Math.max(6, part * (room - 440)), size * 0.5, size * 0.25);
        brush.fill();
        brush.textAlign = "right";
        write(brush, String(points), {
            x: width - edge,
            y: y + size / 2,
            room: 100,
            font: `700 ${Math.min(34, step * 0.55)}px ${sans}`,
            colour: winner ? ink.gold : ink.paper,
            line: 0,
        });
        brush.textAlign = "left";
        brush.textBaseline = "top";
        y += step;
    }
    y += 26;
    for (const { title, text } of told) {
        if (y > height - 210) break;
        y = write(brush, title, { x: edge, y, room, font: `700 32px ${serif}`, colour: ink.gold, line: 42, most: 1 });
        y = write(brush, text, { x: edge, y, room, font: `400 29px ${sans}`, colour: ink.paper, line: 38 }) + 18;
    }
    write(brush, where, { x: edge, y: height - 92, room, font: `500 27px ${sans}`, colour: ink.soft, line: 34, most: 1 });
    return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture"))), "image/png"));
}
