import type { Action } from '../../protocol/recipe.ts';
import { sayAction } from '../../share/say-action.ts';

/** Something that a menu does: an action of the run, or a command of the prompt, which may only read. */
export type Act =
  | { readonly action: Action }
  | {
      readonly line: string;
      /** Whether the reader wants to see its output, or to type: the prompt opens. */
      readonly opensPrompt?: boolean;
    };

/**
 * Describes an act in one line, with a capital letter unless it is a command.
 *
 * @param actions the actions of the recipe, as for {@link sayAction}
 */
export function sayAct(act: Act, actions: readonly Action[] = []): string {
  if ('line' in act) return act.line;
  const text = sayAction(act.action, actions);
  return act.action.do === 'kubectl' ? text : capitalized(text);
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
