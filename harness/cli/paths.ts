import { readChosenPath } from '../workbook/remembered.ts';
import type { Paint } from './colours.ts';
import { didYouMean } from './did-you-mean.ts';
import { Failure } from './failure.ts';
import { commandFor, type Kata } from './katas.ts';

/** A named order of katas. */
export interface LearningPath {
  /** `afternoon` */
  readonly name: string;
  /** Whether the learner begins each kata by its short way, if it has one. */
  readonly isShort: boolean;
  readonly katas: readonly Kata[];
}

/** The declaration of a path. */
interface PathDeclaration {
  readonly isShort: boolean;
  /** The katas by id, in order. @defaultValue all katas, in the order of {@link inLearningOrder} */
  readonly ids?: readonly string[];
}

/** The number of the kata to begin with: most other components use an informer. */
const FIRST = '21';

/** The paths by name. */
export const PATHS: Readonly<Record<string, PathDeclaration>> = {
  afternoon: {
    isShort: true,
    ids: ['22-workqueue', '23-replicaset', '33-bind', '41-kubelet', '51-ipam'],
  },
  'two-days': { isShort: true },
  all: { isShort: false },
};

const DEFAULT_PATH = 'all';

/**
 * Finds a path by its name.
 *
 * @throws Failure when no path has that name
 */
export function findPath(name: string, katas: readonly Kata[]): LearningPath {
  const path = pathNamed(name, katas);
  if (path) return path;
  const names = Object.keys(PATHS);
  const next = [didYouMean(name, names), `The paths are: ${names.join(', ')}.`].filter(Boolean).join(' ');
  throw new Failure(`find the path "${name}"`, 'no path has that name', next);
}

/**
 * Returns the path that the learner has chosen; all katas, if they have chosen none.
 *
 * @param root the workbook's folder
 */
export function chosenPath(root: string, katas: readonly Kata[]): LearningPath {
  const chosen = pathNamed(readChosenPath(root) ?? DEFAULT_PATH, katas);
  return chosen ?? { name: DEFAULT_PATH, isShort: false, katas: inLearningOrder(katas) };
}

function pathNamed(name: string, katas: readonly Kata[]): LearningPath | undefined {
  if (!Object.hasOwn(PATHS, name)) return undefined;
  const { isShort = false, ids } = PATHS[name] ?? {};
  return {
    name,
    isShort,
    katas: ids ? ids.flatMap((id) => katas.find((kata) => kata.id === id) ?? []) : inLearningOrder(katas),
  };
}

/** Returns all katas in the order of the path `all`: from {@link FIRST} on, and at last the katas before it. */
export function inLearningOrder(katas: readonly Kata[]): readonly Kata[] {
  const first = Math.max(
    0,
    katas.findIndex(({ id }) => id.startsWith(`${FIRST}-`)),
  );
  return [...katas.slice(first), ...katas.slice(0, first)];
}

/**
 * Returns where the learner left off on a path, and the command to continue; without a kata in progress, the next kata to
 * begin. Empty if the path has no katas.
 *
 * @param withoutCode the katas that run all components of the learner, by id. @defaultValue none
 */
export function nextLines(
  path: LearningPath,
  paint: Paint,
  withoutCode: readonly string[] = [],
): readonly string[] {
  const { name, isShort, katas } = path;
  if (katas.length === 0) return [];
  const command = (text: string): string => `  ${paint('bold', text)}`;
  const latest = katas.toSorted((a, b) => b.lastMs - a.lastMs);
  const begun = latest.find(
    ({ caughtUp, standing: { state } }) => !caughtUp && (state === 'begun' || state === 'failing'),
  );
  const kata = begun ?? firstOpen(katas, latest);
  const isAll = name === DEFAULT_PATH;
  if (!kata) {
    const end = katas.some(({ caughtUp }) => caughtUp) ? 'is done or filled in' : 'is done';
    return [
      `Every kata${isAll ? '' : ` of the path "${name}"`} ${end}. Run your own cluster:`,
      command('npm start -- --mine'),
      ...withoutCode.flatMap((id) => [
        `Then read katas/${id}/README.md, and run`,
        command(`npx vitest katas/${id}`),
      ]),
      ...(isAll ? [] : ['Or go on with all katas:', command(`npm run kata -- next ${DEFAULT_PATH}`)]),
    ];
  }
  const position = `Kata ${katas.indexOf(kata) + 1} of ${katas.length}`;
  const header = katas.length > 1 ? [isAll ? position : `${position} on the path "${name}"`] : [];
  const short = kata.id.split('-')[0];
  if (kata.text === undefined)
    return [...header, `${kata.stub} is deleted. Restore it:`, command(`npm run kata -- reset ${short}`)];
  if (begun) {
    const { place } = kata.standing;
    return [...header, `You left off at ${kata.id}${place ? `, ${place}` : ''}:`, command(commandFor(kata))];
  }
  if (isShort && kata.hasShortWay)
    return [
      ...header,
      `Begin with ${kata.id}, by its short way:`,
      command(`npm run kata -- start ${short} --short`),
    ];
  return [
    ...header,
    `Begin with katas/${kata.id}/README.md, and run`,
    command(commandFor(kata)),
    ...(katas.length > 1 && !isShort ? [INDEPENDENT] : []),
  ];
}

/** Returns the first kata that is not begun, of those after the latest finished kata, then of all. */
function firstOpen(katas: readonly Kata[], latest: readonly Kata[]): Kata | undefined {
  const isOpen = ({ standing }: Kata): boolean => standing.state === 'not begun';
  const done = latest.find((kata) => !isOpen(kata));
  const after = done ? katas.slice(katas.indexOf(done)) : katas;
  return after.find(isOpen) ?? katas.find(isOpen);
}

const INDEPENDENT =
  'Or begin with any other kata: the reference plays every component that you have not built.';
