import { only } from '../workbook/given.ts';
import { writeCaughtUp } from '../workbook/remembered.ts';
import { hashOfKata } from '../workbook/verdict.ts';
import type { Paint } from './colours.ts';
import { Failure, type Terminal } from './failure.ts';
import { commandFor, findKata, type Kata, readKatas } from './katas.ts';
import { inLearningOrder } from './paths.ts';
import { fillIn } from './start-kata.ts';

/** A request to catch up. */
interface CatchUpRequest {
  /** The workbook's folder. */
  readonly root: string;
  /** The kata to continue with: `24`. */
  readonly kata: string;
  readonly terminal: Terminal;
  readonly paint: Paint;
}

/**
 * Fills the reference's code into every `todo` of the katas that come earlier on the path `all` and are not done. Prints
 * a line for each kata.
 * Keeps the learner's code, and leaves a kata unchanged if that is not possible.
 *
 * @returns the lines to print at the end
 * @throws Failure when no kata is earlier, or when earlier katas are unfinished and none could be filled in
 */
export function catchUp({ root, kata: meant, terminal, paint }: CatchUpRequest): readonly string[] {
  const katas = inLearningOrder(readKatas(root));
  const kata = findKata(katas, meant);
  const before = katas.slice(0, katas.indexOf(kata));
  const command = `catch up with ${kata.id}`;
  if (before.length === 0) {
    throw new Failure(command, 'no kata is before it', `Begin it: ${commandFor(kata)}.`);
  }
  const width = Math.max(...before.map(({ id }) => id.length));
  const results = before.map((each) => {
    const result = fill(root, each);
    const mark = result.state === 'left' ? paint('red', '✗') : paint('green', '✓');
    terminal.print(`${mark} ${each.id.padEnd(width)}  ${result.text}`);
    return result.state;
  });
  const filled = before[results.indexOf('filled')];
  if (results.includes('left') && !filled)
    throw new Failure(command, 'no kata could be filled in', 'The lines above name the reasons.');
  return [
    '',
    ...(filled ? [`To undo it for a kata: npm run kata -- reset ${filled.id.split('-')[0]}`] : []),
    `Read katas/${kata.id}/README.md, and run`,
    `  ${paint('bold', commandFor(kata))}`,
  ];
}

/** The result for one kata. */
interface Result {
  readonly state: 'filled' | 'nothing to do' | 'left';
  readonly text: string;
}

function fill(root: string, kata: Kata): Result {
  const { id, standing } = kata;
  if (standing.state === 'done' && !standing.stale) return { state: 'nothing to do', text: 'done' };
  try {
    const { given, kept } = fillIn({ root, kata, own: only([]), command: `fill in ${id}` });
    if (given.length === 0) return { state: 'nothing to do', text: 'already written' };
    writeCaughtUp(root, id, hashOfKata(root, id));
    const now = given.length === 1 ? '1 function now has' : `${given.length} functions now have`;
    return { state: 'filled', text: [`${now} the reference's code`, ...kept].join('. ') };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { state: 'left', text: error.message };
  }
}
