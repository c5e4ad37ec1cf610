import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { writeWhole } from '../../workbook/whole-file.ts';

/** The sender of a report. */
export interface Participant {
  /** A random id, the same for each report of a clone. No screen shows it. */
  readonly id: string;
  /** The name that the participant has chosen; absent if they stay anonymous. */
  readonly name?: string;
}

/**
 * Returns the participant of a clone. The first call draws an id and keeps it in the cache folder. A cache folder that
 * cannot be written gives a new id each time.
 *
 * @param root the workbook's folder
 */
export function participantOf(root: string, name?: string): Participant {
  const id = keptId(root);
  return name === undefined ? { id } : { id, name };
}

function keptId(root: string): string {
  const file = path.join(root, 'node_modules/.cache/kubernetes-katas/participant.json');
  try {
    const { id } = JSON.parse(readFileSync(file, 'utf8')) as { readonly id?: unknown };
    if (typeof id === 'string' && id !== '') return id;
  } catch {
    // The first report of this clone.
  }
  const id = randomUUID();
  try {
    writeWhole(file, JSON.stringify({ id }));
  } catch {
    // The report goes out even if its id cannot be kept.
  }
  return id;
}

/** Returns the alias of a participant without a name: `otter-27`. The same id has the same alias. */
export function aliasOf(id: string): string {
  const [first = 0, second = 0] = createHash('sha256').update(id).digest();
  return `${ANIMALS[first % ANIMALS.length]}-${10 + (second % 90)}`;
}

const ANIMALS = [
  'badger',
  'bat',
  'bear',
  'beaver',
  'bee',
  'bison',
  'camel',
  'cat',
  'crab',
  'crane',
  'crow',
  'deer',
  'dolphin',
  'duck',
  'eagle',
  'elk',
  'ferret',
  'finch',
  'fox',
  'frog',
  'gecko',
  'goat',
  'goose',
  'hare',
  'hawk',
  'heron',
  'horse',
  'koala',
  'lemur',
  'lion',
  'llama',
  'lynx',
  'mole',
  'moose',
  'moth',
  'newt',
  'orca',
  'otter',
  'owl',
  'panda',
  'pigeon',
  'puffin',
  'quail',
  'rabbit',
  'raven',
  'robin',
  'seal',
  'shark',
  'sloth',
  'snail',
  'spider',
  'squid',
  'stork',
  'swan',
  'tapir',
  'tiger',
  'toad',
  'trout',
  'turtle',
  'viper',
  'walrus',
  'whale',
  'wolf',
  'wren',
] as const;
