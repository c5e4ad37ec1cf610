import { writeChosenPath } from '../workbook/remembered.ts';
import type { Paint } from './colours.ts';
import { readKatas } from './katas.ts';
import { openKatasWithoutCode } from './katas-without-code.ts';
import { chosenPath, findPath, nextLines } from './paths.ts';

/** A request for the next kata. */
interface NextRequest {
  /** The workbook's folder. */
  readonly root: string;
  /** The path to follow from now on: `afternoon`. @defaultValue the path that was chosen last */
  readonly path: string | undefined;
  readonly paint: Paint;
}

/**
 * Returns where the learner left off on their path, or its next kata. Records the path.
 *
 * @returns the lines to print
 * @throws Failure when no path has that name
 */
export function next({ root, path: name, paint }: NextRequest): readonly string[] {
  const katas = readKatas(root);
  const path = name === undefined ? chosenPath(root, katas) : findPath(name, katas);
  if (name !== undefined) writeChosenPath(root, name);
  const lines = nextLines(path, paint, openKatasWithoutCode(root));
  return lines.length > 0 ? lines : ['There are no katas yet.'];
}
