/** What a key does, wherever the focus is, except in a field for text. */
export type Command =
  | 'play'
  | 'faster'
  | 'slower'
  | 'step'
  | 'back'
  | 'next-moment'
  | 'previous-moment'
  | 'end'
  | 'help'
  | 'theme'
  | 'prompt'
  | 'close';

const keys: Readonly<Record<string, Command>> = {
  ' ': 'play',
  '+': 'faster',
  '=': 'faster',
  '-': 'slower',
  '.': 'step',
  ',': 'back',
  '[': 'previous-moment',
  ']': 'next-moment',
  End: 'end',
  '?': 'help',
  t: 'theme',
  '/': 'prompt',
  Escape: 'close',
};

/** A key, and the element that has the focus. */
export interface Press {
  readonly key: string;
  readonly hasModifier: boolean;
  /** Whether the focus is in a field for text: there only Escape is a command. */
  readonly isTyping: boolean;
  /** Whether the focus is on a button or a link, which the space bar presses. */
  readonly isPressable: boolean;
  /** Whether single keys are commands. Escape always is. */
  readonly usesKeys: boolean;
}

/** Returns the command of a key; undefined if the key belongs to the element that has the focus. */
export function commandOf({ key, hasModifier, isTyping, isPressable, usesKeys }: Press): Command | undefined {
  const command = keys[key];
  if (hasModifier || command === undefined) return undefined;
  if (isTyping || !usesKeys) return command === 'close' ? command : undefined;
  return isPressable && key === ' ' ? undefined : command;
}
