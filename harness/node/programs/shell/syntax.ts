/** A parsed script. */
export type Command =
  | {
      readonly kind: 'simple';
      readonly assignments: readonly Assignment[];
      readonly words: readonly Word[];
      readonly redirects: readonly Redirect[];
    }
  /** Commands in sequence. `background`: the shell does not wait for the command. */
  | {
      readonly kind: 'list';
      readonly items: readonly { readonly command: Command; readonly background: boolean }[];
    }
  | { readonly kind: 'and' | 'or'; readonly left: Command; readonly right: Command }
  /** Each command reads the output of the one before it. */
  | { readonly kind: 'pipe'; readonly commands: readonly Command[] }
  | { readonly kind: 'not'; readonly command: Command }
  | {
      readonly kind: 'if';
      readonly condition: Command;
      readonly then: Command;
      readonly otherwise: Command | undefined;
    }
  /** `until` repeats while the condition fails. */
  | { readonly kind: 'while' | 'until'; readonly condition: Command; readonly body: Command }
  | { readonly kind: 'for'; readonly name: string; readonly words: readonly Word[]; readonly body: Command };

/** An assignment such as `X=1`. */
export interface Assignment {
  readonly name: string;
  readonly value: Word;
}

/** A redirection of output: `> file`, `>> file`, `2> file`, `2>&1`. */
export interface Redirect {
  readonly from: 'stdout' | 'stderr';
  /** Undefined: to the target of the other stream. */
  readonly to: Word | undefined;
  readonly append: boolean;
}

/** A word consists of pieces without spaces between them. */
export type Word = readonly Piece[];

/** A piece of a word. A quoted piece is never split at spaces. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  /** A variable: `$X`, `${X:-else}`, `$?`. */
  | {
      readonly kind: 'variable';
      readonly name: string;
      readonly otherwise: string | undefined;
      readonly quoted: boolean;
    }
  /** A command substitution: `$(date)`. */
  | { readonly kind: 'output'; readonly script: string; readonly quoted: boolean }
  /** An arithmetic expression: `$((i + 1))`. */
  | { readonly kind: 'sum'; readonly expression: string };

/** Thrown for a script with invalid or unsupported syntax. The message is the shell's. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError';

  /** Whether more input could complete the script. An interactive shell then waits for it. */
  get isUnfinished(): boolean {
    return /unexpected end of file|unterminated/.test(this.message);
  }
}
