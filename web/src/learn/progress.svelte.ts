// How far somebody has come in the course, on this device.
import { course, isLesson, lessonIds, type LessonId } from "./course";

const place = "gral.learn";

interface Progress {
    done: LessonId[];
    /** The step to go on with in lessons that were begun. */
    at: Partial<Record<LessonId, number>>;
}

/** From a text that may be old or damaged: what does not fit is left out. */
export function readProgress(text: string | null): Progress {
    let found: { done?: unknown; at?: unknown } | null;
    try {
        found = JSON.parse(text ?? "null") as typeof found;
    } catch {
        found = null;
    }
    const done = Array.isArray(found?.done) ? lessonIds.filter((id) => (found.done as unknown[]).includes(id)) : [];
    const at = Object.entries((found?.at ?? {}) as Record<string, unknown>).filter(
        ([id, step]) => isLesson(id) && Number.isInteger(step) && (step as number) > 0 && (step as number) < course[id].steps.length,
    );
    return { done, at: Object.fromEntries(at) };
}

function stored(): string | null {
    try {
        return localStorage.getItem(place);
    } catch {
        return null;
    }
}

let current: Progress = $state.raw(readProgress(stored()));

function keep(next: Progress): void {
    current = next;
    try {
        localStorage.setItem(place, JSON.stringify(next));
    } catch {
        // No storage: it lasts as long as the page.
    }
}

export const progress = {
    isDone: (id: LessonId): boolean => current.done.includes(id),
    stepOf: (id: LessonId): number => current.at[id] ?? 0,
    /** The lesson to go on with: the first that is not done. */
    get next(): LessonId | undefined {
        return lessonIds.find((id) => !current.done.includes(id));
    },
    get count(): number {
        return current.done.length;
    },
    reach(id: LessonId, step: number): void {
        keep({ ...current, at: { ...current.at, [id]: step } });
    },
    finish(id: LessonId): void {
        const { [id]: _, ...at } = current.at;
        keep({ done: current.done.includes(id) ? current.done : [...current.done, id], at });
    },
};
