import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  startCompletion,
} from '@codemirror/autocomplete';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { EditorState, Prec } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { minimalSetup } from 'codemirror';
import { type Option, optionsAt } from '../manifest/manifest-completion.ts';
import type { Problem } from '../manifest/manifest-problems.ts';
import { actTexts } from '../texts.ts';
import { problemLines, setProblems } from './problem-lines.ts';

/** An editor in an element of the page. */
export interface ManifestEditor {
  text: string;
  showProblems(problems: readonly Problem[]): void;
  focus(): void;
  destroy(): void;
}

/** Options of {@link newManifestEditor}. */
interface ManifestEditorOptions {
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** Called for Ctrl-Enter. */
  readonly onApply: () => void;
}

/** Creates an editor for manifests. It completes fields and values by the types of the API. */
export function newManifestEditor(
  parent: HTMLElement,
  { text, onChange, onApply }: ManifestEditorOptions,
): ManifestEditor {
  const apply = (): boolean => {
    onApply();
    return true;
  };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        Prec.highest(
          keymap.of([
            { key: 'Ctrl-Enter', mac: 'Cmd-Enter', run: apply },
            { mac: 'Ctrl-Enter', run: apply },
            { key: 'Tab', run: acceptCompletion },
            { key: 'Tab', run: indent },
          ]),
        ),
        minimalSetup,
        lineNumbers(),
        highlightActiveLine(),
        yaml(),
        indentUnit.of('  '),
        EditorState.tabSize.of(2),
        autocompletion({ override: [complete], icons: false }),
        syntaxHighlighting(highlightStyle),
        problemLines,
        theme,
        EditorView.contentAttributes.of({
          'aria-label': `${actTexts.editor.text}. ${actTexts.editor.escape}`,
        }),
        // The keys of the page itself, such as space, are text here.
        EditorView.domEventHandlers({ keydown: (event) => event.stopPropagation() }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    get text() {
      return view.state.doc.toString();
    },
    set text(value) {
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: value },
        selection: { anchor: 0 },
        scrollIntoView: true,
      });
    },
    showProblems: (problems) => view.dispatch({ effects: setProblems.of(problems) }),
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

function complete({ state, pos, explicit }: CompletionContext): CompletionResult | null {
  const { from, options } = optionsAt(state.doc.toString(), pos);
  // At a blank place the list opens by itself only if few values are allowed there.
  const isWanted = explicit || from < pos || options.every(({ kind }) => kind === 'value');
  if (options.length === 0 || !isWanted) return null;
  return { from, options: options.map(completionOf), validFor: /^[\w./-]*$/ };
}

function completionOf({ label, detail, info, insert, kind, isRequired }: Option): Completion {
  return {
    label,
    detail,
    ...(info !== '' && { info }),
    type: kind,
    boost: isRequired ? 1 : 0,
    apply(view: EditorView, _: Completion, from: number, to: number) {
      view.dispatch({
        changes: { from, to, insert },
        selection: { anchor: from + insert.length },
        userEvent: 'input.complete',
      });
      if (kind === 'field') startCompletion(view);
    },
  };
}

function indent(view: EditorView): boolean {
  view.dispatch(view.state.replaceSelection('  '), { scrollIntoView: true, userEvent: 'input' });
  return true;
}

const highlightStyle = HighlightStyle.define([
  { tag: tags.definition(tags.propertyName), color: 'var(--accent)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--ink-soft)', fontStyle: 'italic' },
  { tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace], color: 'var(--ink-soft)' },
  { tag: tags.meta, color: 'var(--ink-soft)' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--paper)', fontSize: '0.8125rem' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.45' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': {
    color: 'var(--ink-soft)',
    backgroundColor: 'var(--paper)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--accent) 7%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 25%, transparent)',
  },
  '.cm-tooltip': {
    color: 'var(--ink)',
    backgroundColor: 'var(--paper-raised)',
    border: '1px solid var(--line)',
    borderRadius: '3px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-mono)', maxHeight: '14em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--ink)',
    backgroundColor: 'color-mix(in srgb, var(--accent) 25%, transparent)',
  },
  '.cm-completionDetail': { color: 'var(--ink-soft)', fontStyle: 'normal', marginLeft: '2ch' },
  '.cm-completionMatchedText': { fontWeight: '700', textDecoration: 'none' },
  '.cm-completionInfo': { padding: '0.25rem 0.5rem', maxWidth: '20rem' },
  '.act-problem-line': { backgroundColor: 'color-mix(in srgb, var(--bad) 12%, transparent)' },
  '.act-problem': {
    padding: '0 0.5rem 0 2ch',
    color: 'var(--bad)',
    whiteSpace: 'pre-wrap',
    fontFamily: 'var(--font-mono)',
  },
});
