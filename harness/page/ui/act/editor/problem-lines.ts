import { StateEffect, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import type { Problem } from '../manifest/manifest-problems.ts';

/** Replaces the problems that the editor shows. */
export const setProblems = StateEffect.define<readonly Problem[]>();

/** Shows each problem below its line, until the next apply. The lines move with the text. */
export const problemLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, { changes, effects, state }) {
    const set = effects.find((effect) => effect.is(setProblems));
    return set ? decorationsOf(set.value, state.doc) : shown.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

function decorationsOf(problems: readonly Problem[], doc: Text): DecorationSet {
  const ranges = problems.flatMap(({ line, message }) => {
    if (line < 0 || line >= doc.lines) return [];
    const { from, to } = doc.line(line + 1);
    return [
      Decoration.line({ class: 'act-problem-line' }).range(from),
      Decoration.widget({ widget: new Message(message), block: true, side: 1 }).range(to),
    ];
  });
  return Decoration.set(ranges, true);
}

class Message extends WidgetType {
  readonly #text: string;

  constructor(text: string) {
    super();
    this.#text = text;
  }

  override eq(other: Message): boolean {
    return other.#text === this.#text;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement('div');
    element.className = 'act-problem';
    element.textContent = `✗ ${this.#text}`;
    return element;
  }
}
