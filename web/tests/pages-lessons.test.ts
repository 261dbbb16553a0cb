// The course, lesson by lesson.
import { lessonIds } from "../src/learn/course.ts";
import { gallery } from "./scenes.ts";

const { at, show } = gallery();

show([["the list of lessons", at("#/learn", "ol.grid")], ...lessonIds.map((id) => [`the lesson ${id}`, at(`#/learn/${id}`, ".stage")] as const)]);
