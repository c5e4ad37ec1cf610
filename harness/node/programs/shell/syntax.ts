/** A script as it was read. */
export type Command =
  | {
      readonly kind: 'simple';
      readonly assignments: readonly Assignment[];
      readonly words: readonly Word[];
      readonly redirects: readonly Redirect[];
    }
  /** One after the other. `background`: it is not waited for. */
  | {
      readonly kind: 'list';
      readonly items: readonly { readonly command: Command; readonly background: boolean }[];
    }
  | { readonly kind: 'and' | 'or'; readonly left: Command; readonly right: Command }
  /** Each reads what the one before it writes. */
  | { readonly kind: 'pipe'; readonly commands: readonly Command[] }
  | { readonly kind: 'not'; readonly command: Command }
  | {
      readonly kind: 'if';
      readonly condition: Command;
      readonly then: Command;
      readonly otherwise: Command | undefined;
    }
  /** `until`: as long as the condition fails. */
  | { readonly kind: 'while' | 'until'; readonly condition: Command; readonly body: Command }
  | { readonly kind: 'for'; readonly name: string; readonly words: readonly Word[]; readonly body: Command };

/** `X=1`. */
export interface Assignment {
  readonly name: string;
  readonly value: Word;
}

/** Where output goes: `> file`, `>> file`, `2> file`, `2>&1`. */
export interface Redirect {
  readonly from: 'stdout' | 'stderr';
  /** Undefined: to where the other one goes. */
  readonly to: Word | undefined;
  readonly append: boolean;
}

/** A word is pieces without space between. */
export type Word = readonly Piece[];

/** What a piece of a word stands for. What stands in quotes is never taken apart at spaces. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  /** `$X`, `${X:-else}`, `$?`. */
  | {
      readonly kind: 'variable';
      readonly name: string;
      readonly otherwise: string | undefined;
      readonly quoted: boolean;
    }
  /** `$(date)`. */
  | { readonly kind: 'output'; readonly script: string; readonly quoted: boolean }
  /** `$((i + 1))`. */
  | { readonly kind: 'sum'; readonly expression: string };

/** A script that this shell does not understand. Its text is what a shell prints. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError';

  /** Whether more of the script could make it right: a shell that reads line by line waits for that. */
  get isUnfinished(): boolean {
    return /unexpected end of file|unterminated/.test(this.message);
  }
}
