import path from 'node:path';
import { writeBegunShort } from '../workbook/remembered.ts';
import { catchUp } from './catch-up-command.ts';
import { checkKata } from './check-kata.ts';
import type { Paint } from './colours.ts';
import { didYouMean } from './did-you-mean.ts';
import { diff } from './diff-command.ts';
import { Failure, type Terminal } from './failure.ts';
import { Git } from './git.ts';
import { asksForHelp } from './help.ts';
import { hint } from './hint-command.ts';
import {
  commandFor,
  findKata,
  kataNamed,
  lawLines,
  levelLines,
  levelsOf,
  listLines,
  readKatas,
} from './katas.ts';
import {
  findKataWithCode,
  linesOfKatasWithoutCode,
  openKatasWithoutCode,
  readKatasWithoutCode,
  showKataWithoutCode,
} from './katas-without-code.ts';
import { linesLost } from './lines-lost.ts';
import { newKata, removeKata, writeDerived } from './new-kata.ts';
import { next } from './next-command.ts';
import { writeOfflineFolder } from './offline-folder.ts';
import { chosenPath, nextLines } from './paths.ts';
import { replaceStub } from './replace-stub.ts';
import { solution } from './solution-command.ts';
import { startFrom, startShort } from './start-kata.ts';

/** The context of every command. */
interface Workbook {
  /** The folder that holds `katas/`. */
  readonly root: string;
  readonly terminal: Terminal;
  readonly paint: Paint;
}

/** The usage, printed after an unknown command. */
const USAGE = [
  'npm run kata                          lists the katas with your progress',
  'npm run kata -- next [afternoon]      shows where you left off, or the next kata. Paths: afternoon, two-days, all',
  'npm run kata -- 21                    shows one kata: its levels, and the command that runs its tests',
  'npm run kata -- hint 21 2 [--all]     gives the next hint for Level 2: a question, a direction, the shape of the code',
  'npm run kata -- hint 21 No ghosts     gives the next hint for a law',
  'npm run kata -- start 23 --short      leaves you the few functions that are its idea; the reference fills in the rest',
  'npm run kata -- start 24 --from 5     fills in Levels 1 to 4 from the reference, for a start in the middle',
  'npm run kata -- catch-up 24           fills in 21 to 23 from the reference, and keeps your code',
  'npm run kata -- run 21 --seed 7       runs its tests once; also --only "No ghosts", --runs 1000, --watch, --solutions',
  'npm run kata -- diff 22 [Queue.add]   compares your functions with the reference, once their level passes (or --give-up)',
  'npm run kata -- solution 24 [scale]   prints a function of the reference, or lists all',
  'npm run kata -- reset 21 [--force]    restores the original stub',
  'npm run kata -- offline ../usb        for leaders: writes a folder from which others install without a network',
  'npm run kata -- report                prints the state of each level and law for a grader, or shows a room: report --help',
  'npm run kata -- doctor                checks that this machine is ready; npm run doctor does so before npm ci',
  'npm run kata -- new 41-kubelet        for authors: creates a kata that runs as it is',
  'npm run kata -- check 41              for authors: runs all checks of one kata',
  'npm run kata -- remove 41-kubelet     for authors: deletes a kata that git does not track',
  'npm run kata -- index                 for authors: writes the files that list all katas',
] as const;

/**
 * Runs a command of `npm run kata` and prints its result.
 *
 * @param words the words after `npm run kata --`
 * @throws Failure when the command, kata, level or hint does not exist, or when the command would lose work
 */
export function runKata(words: readonly string[], workbook: Workbook): void {
  for (const line of linesFor(words, workbook)) workbook.terminal.print(line);
}

function linesFor(words: readonly string[], workbook: Workbook): readonly string[] {
  const flags = words.filter((word) => word.startsWith('-'));
  const [command, ...rest] = words.filter((word) => !word.startsWith('-'));
  if (asksForHelp(flags) || command === 'help') return USAGE;
  const unknown = flags.find((flag) => !FLAGS[command ?? '']?.includes(flag));
  if (unknown) throw misused(`understand ${unknown}`, 'that option does not exist');
  switch (command) {
    case undefined:
    case 'list':
      return list(workbook);
    case 'hint':
      return hinted(workbook, rest, flags.includes('--all'));
    case 'next': {
      const [path, ...more] = rest;
      if (more.length > 0) throw misused('find the next kata', 'it takes one path: next afternoon');
      return next({ ...workbook, path });
    }
    case 'diff':
    case 'solution': {
      const [kata, symbol, ...more] = rest;
      if (kata === undefined || more.length > 0)
        throw misused(
          command === 'diff' ? 'show a diff' : 'show a solution',
          `it takes a kata, and perhaps a function: ${command} 22 Queue.add`,
        );
      if (command === 'solution') return solution({ ...workbook, kata, symbol });
      return diff({ ...workbook, kata, symbol, givesUp: flags.includes('--give-up') });
    }
    case 'catch-up': {
      const [kata, ...more] = rest;
      if (kata === undefined || more.length > 0) throw misused('catch up', 'it takes one kata: catch-up 24');
      return catchUp({ ...workbook, kata });
    }
    case 'start':
      return started(workbook, rest, flags);
    case 'new':
    case 'remove': {
      const [id, ...more] = rest;
      if (id === undefined || more.length > 0)
        throw misused(
          `${command === 'new' ? 'make' : 'remove'} a kata`,
          `it takes its name: ${command} 41-kubelet`,
        );
      if (command === 'new') return newKata(workbook.root, id);
      const git = new Git(workbook.root);
      return removeKata(workbook.root, id, (place) => git.isTracked(place));
    }
    case 'check': {
      const [meant, ...more] = rest;
      if (meant === undefined || more.length > 0)
        throw misused('check a kata', 'it takes one kata: check 24');
      return checkKata(workbook.root, meant, workbook.terminal);
    }
    case 'offline': {
      const [folder, ...more] = rest;
      if (folder === undefined || more.length > 0)
        throw misused('prepare a folder', 'it takes its name: offline ../usb');
      const { root, terminal } = workbook;
      return writeOfflineFolder({ root, folder: path.resolve(folder), terminal });
    }
    case 'index':
      if (rest.length > 0) throw misused('write the index', 'it takes no name');
      return writeDerived(workbook.root);
    case 'reset':
      return reset(workbook, rest, flags.includes('--force'));
    default:
      return show(workbook, command, words);
  }
}

const FLAGS: Readonly<Record<string, readonly string[]>> = {
  diff: ['--give-up'],
  hint: ['--all'],
  reset: ['--force'],
  start: ['--from', '--short', '--draft'],
};

function hinted(
  { root, paint, terminal }: Workbook,
  words: readonly string[],
  all: boolean,
): readonly string[] {
  const [kata, ...rest] = words;
  if (kata === undefined || rest.length === 0) {
    throw misused('give a hint', 'it takes a kata, and a level or a law: hint 21 2');
  }
  return hint({ root, kata, words: rest, all, paint, note: terminal.complain });
}

function started(
  { root, paint }: Workbook,
  words: readonly string[],
  flags: readonly string[],
): readonly string[] {
  const [kata, from, ...more] = words;
  const isShort = flags.includes('--short') && !flags.includes('--from');
  if (kata !== undefined && from === undefined && isShort)
    return startShort({ root, kata, draft: flags.includes('--draft'), paint });
  if (kata === undefined || from === undefined || more.length > 0 || flags.join() !== '--from') {
    const forms = 'start 23 --short, or the level to begin with: start 24 --from 5';
    throw misused(
      'start a kata with a part of the reference',
      `it takes a kata: ${forms}. Without a part of the reference, a kata needs no start: edit its stub`,
    );
  }
  return startFrom({ root, kata, from, paint });
}

function list({ root, paint }: Workbook): readonly string[] {
  const katas = readKatas(root);
  const none = katas.length === 0 ? ['There are no katas yet.'] : [];
  const after = nextLines(chosenPath(root, katas), paint, openKatasWithoutCode(root));
  const width = Math.max(0, ...katas.map(({ id }) => id.length));
  return [
    ...none,
    ...listLines(katas, paint),
    ...linesOfKatasWithoutCode(readKatasWithoutCode(root), { paint, width }),
    ...(after.length > 0 ? ['', ...after] : []),
  ];
}

function show({ root, paint }: Workbook, meant: string, words: readonly string[]): readonly string[] {
  const katas = readKatas(root);
  const suggestion = kataNamed(katas, meant) ? '' : didYouMean(meant, COMMANDS);
  if (words.length > 1 || suggestion !== '')
    throw misused(`understand "${words.join(' ')}"`, 'that command does not exist', suggestion);
  const withoutCode = showKataWithoutCode(root, meant, paint);
  if (withoutCode) return withoutCode;
  const kata = findKata(katas, meant);
  const groups = [...levelLines(levelsOf(root, kata), paint), ...lawLines(root, kata, paint)];
  const isDone = kata.standing.state === 'done' && !kata.standing.stale;
  return [
    paint('bold', kata.title),
    ...listLines([kata], paint),
    '',
    ...groups.map((line) => `  ${line}`),
    ...(groups.length > 0 ? [''] : []),
    ...(isDone
      ? [
          `Compare ${kata.stub} with solutions/${kata.id}/README.md, then run`,
          `  ${paint('bold', 'npm run kata -- next')}`,
        ]
      : [
          `Read katas/${kata.id}/README.md, edit ${kata.stub}, and run`,
          `  ${paint('bold', commandFor(kata))}`,
        ]),
  ];
}

function reset(
  { root, paint, terminal }: Workbook,
  words: readonly string[],
  force: boolean,
): readonly string[] {
  const [meant, ...more] = words;
  if (meant === undefined || more.length > 0) throw misused('reset a kata', 'it takes one kata: reset 21');
  const kata = findKataWithCode(root, meant);
  const { id, stub, text, pristine } = kata;
  if (pristine === undefined) {
    throw new Failure(
      `reset ${id}`,
      `git has no earlier version of ${stub}`,
      'Is this a clone of the workbook?',
    );
  }
  if (text === pristine) return [`${stub} is unchanged: there is nothing to reset.`];
  const git = new Git(root);
  if (text !== undefined && !force && git.isDirty(stub)) {
    for (const line of lossLines(stub, linesLost(text, git.committed(stub) ?? ''), paint))
      terminal.print(line);
    const again = `npm run kata -- reset ${id.split('-')[0]} --force`;
    throw new Failure(`reset ${id}`, `${stub} has uncommitted changes`, `Commit them, or run ${again}.`);
  }
  const kept = replaceStub({ root, git, stub, text: pristine, pristine, command: `reset ${id}` });
  writeBegunShort(root, id, false);
  return [`${stub} is the original again.`, ...(kept === undefined ? [] : [`Your previous text: ${kept}`])];
}

/** Renders the lines that only the file has, up to a readable number. */
function lossLines(stub: string, lost: readonly string[], paint: Paint): readonly string[] {
  if (lost.length === 0) return [];
  const linesMax = 40;
  const rest = lost.length - linesMax;
  return [
    `${lost.length === 1 ? 'This line' : `These ${lost.length} lines`} of ${stub} would be lost:`,
    ...lost.slice(0, linesMax).map((line) => paint('red', `- ${line}`.trimEnd())),
    ...(rest > 0 ? [paint('dim', `… and ${rest} more`)] : []),
  ];
}

/** The commands by name, as in the usage. */
const COMMANDS = [
  ...new Set(USAGE.flatMap((line) => /^npm run kata -- ([a-z-]+) /.exec(line)?.slice(1) ?? [])),
];

function misused(what: string, why: string, suggestion = ''): Failure {
  const usage = `You can type:\n${USAGE.map((line) => `  ${line}`).join('\n')}`;
  return new Failure(what, why, [suggestion, usage].filter(Boolean).join(' '));
}
