import { sayFault } from '../../faults/say-fault.ts';
import type { Action } from '../protocol/recipe.ts';

/** Describes an action in one line: `kill replicaset-controller, and start it again after 1000 ms`. */
export function sayAction(action: Action): string {
  switch (action.do) {
    case 'kubectl':
      return `kubectl ${withoutKubectl(action.line)}`;
    case 'type':
      return action.line === undefined ? 'end the input of a command' : `type ${JSON.stringify(action.line)}`;
    case 'interrupt':
      return 'interrupt a command';
    case 'fault':
      return sayFault(action.fault);
    case 'heal':
      return 'end all faults';
    case 'kill':
      return `kill ${action.process}, and start it again after ${action.restartAfterMs} ms`;
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

/** Returns a line of the prompt without the word `kubectl` at its beginning. */
export function withoutKubectl(line: string): string {
  return line.trim().replace(/^kubectl(\s+|$)/, '');
}
