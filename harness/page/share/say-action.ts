import type { Action } from '../protocol/recipe.ts';
import { faultWords, inSeconds } from './fault-words.ts';
import { objectsIn } from './manifest-objects.ts';

/**
 * Describes an action in one line: `kill replicaset-controller, and start it again after 1.5 s`. Faults have the words of
 * {@link faultWords}.
 *
 * @param actions the actions of the recipe: an action may belong to the command of another one
 */
export function sayAction(action: Action, actions: readonly Action[] = []): string {
  switch (action.do) {
    case 'kubectl': {
      const objects = objectsIn(action.manifest ?? '');
      const line = withoutKubectl(action.line);
      return `${isCurl(line) ? '' : 'kubectl '}${line}${objects && ` (${objects})`}`;
    }
    case 'type':
      return action.line === undefined
        ? `end the input of ${commandOf(action.into, actions)}`
        : `type ${JSON.stringify(action.line)} into ${commandOf(action.into, actions)}`;
    case 'interrupt':
      return `interrupt ${commandOf(action.command, actions)}`;
    case 'fault':
      return faultWords(action.fault);
    case 'heal':
      return 'end all faults';
    case 'kill':
      return inSeconds(`kill ${action.process}, and start it again after ${action.restartAfterMs} ms`);
    case 'power-on':
      return `turn ${action.node} on`;
    case 'fill-disk':
      return action.percent === 0
        ? `remove the file that fills the disk of ${action.node}`
        : `fill the disk of ${action.node} up to ${action.percent} %`;
    case 'request':
      return `request ${action.url} from ${action.from}`;
    case 'use':
      return action.version === 'reference'
        ? `use the reference's ${action.part}`
        : `use your ${action.part}, version ${action.version}`;
  }
}

/** Returns whether a line of the prompt is the command `curl`, which stands beside kubectl. */
function isCurl(line: string): boolean {
  return /^curl(\s|$)/.test(line);
}

/** Names the command of an action. */
function commandOf(number: number, actions: readonly Action[]): string {
  const action = actions[number];
  return action?.do === 'kubectl' ? sayAction(action) : 'a command';
}

/** Returns a line of the prompt without the word `kubectl` at its beginning. */
export function withoutKubectl(line: string): string {
  return line.trim().replace(/^kubectl(\s+|$)/, '');
}
