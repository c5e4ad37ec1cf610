import type { Fault } from '../../../../faults/fault.ts';
import type { Action } from '../../../protocol/recipe.ts';
import type { Input, Values } from '../input.ts';
import { actTexts } from '../texts.ts';
import type { MenuItem } from './menu.ts';

const { inputs: labels } = actTexts;

/** An item that types a command. */
export function command(id: string, label: string, line: string): MenuItem {
  return { id, label, inputs: [], act: () => ({ line }) };
}

/** An item that types a command for its output, or for a program that reads: the prompt opens. */
export function promptCommand(id: string, label: string, line: string): MenuItem {
  return { id, label, inputs: [], act: () => ({ line, opensPrompt: true }) };
}

/** An item that injects a fault. */
export function fault(
  id: string,
  label: string,
  inputs: readonly Input[],
  faultOf: (values: Values) => Fault,
): MenuItem {
  return {
    id,
    label,
    inputs,
    act: (values) => ({ action: { do: 'fault', fault: faultOf(values) } }),
  };
}

/** A duration, chosen in seconds. Its value is read by {@link msOf}. */
export function seconds(
  name: string,
  label: string,
  value: number,
  { min = 0.1, max = 3_600 }: { readonly min?: number; readonly max?: number } = {},
): Input {
  return { kind: 'number', name, label, unit: labels.seconds, min, max, step: 0.1, value };
}

/** Returns a duration in ms. */
export function msOf(values: Values, name: string): number {
  return Math.round(Number(values[name]) * 1_000);
}

/** A count. */
export function count(name: string, label: string, value: number, min: number, max: number): Input {
  return { kind: 'number', name, label, unit: '', min, max, step: 1, value };
}

/** A choice among values. The first value is the default. */
export function choice(
  name: string,
  label: string,
  options: readonly (readonly [value: string, label: string])[],
): Input {
  return {
    kind: 'choice',
    name,
    label,
    options: options.map(([value, text]) => ({ value, label: text })),
    value: options[0]?.[0] ?? '',
  };
}

/** Whether a call takes effect before it fails. Its value is read by {@link isPerformed}. */
export function performed(label: string = labels.performed): Input {
  return choice('performed', label, [
    ['yes', labels.carriedOut],
    ['no', labels.notCarriedOut],
  ]);
}

/** Returns whether the call takes effect. */
export function isPerformed(values: Values): boolean {
  return values.performed === 'yes';
}

/** An item that performs an action without any choice. */
export function action(id: string, label: string, of: Action): MenuItem {
  return { id, label, inputs: [], act: () => ({ action: of }) };
}
