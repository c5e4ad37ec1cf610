import type { ComponentChild, ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { FieldChange, Subject } from '../../protocol/details.ts';
import { formatWhen } from './format.ts';
import { inspectTexts as texts } from './texts.ts';
import { yamlTokens } from './yaml-tokens.ts';

/** What the panels may do. */
export interface PanelActions {
  readonly onSubject: (subject: Subject) => void;
  /** Goes to a time of the run. */
  readonly onTime: (atMs: number) => void;
}

/** A link to another subject. */
export function SubjectLink({
  subject,
  onSubject,
  children,
}: Pick<PanelActions, 'onSubject'> & { readonly subject: Subject; readonly children: ComponentChildren }) {
  return (
    <button type="button" class="inspect-link" onClick={() => onSubject(subject)}>
      {children}
    </button>
  );
}

/** A time, which is a link to it. Times from before the cluster stood are none. */
export function When({ atMs, onTime }: Pick<PanelActions, 'onTime'> & { readonly atMs: number }) {
  if (atMs < 0) return <time class="inspect-when">{formatWhen(atMs)}</time>;
  return (
    <button
      type="button"
      class="inspect-link inspect-when"
      title={texts.when.title}
      onClick={() => onTime(atMs)}
    >
      {formatWhen(atMs)}
    </button>
  );
}

/** A button that copies a text. */
export function CopyButton({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <button type="button" class="inspect-copy" onClick={() => void copy()} onBlur={() => setCopied(false)}>
      <span aria-live="polite">{isCopied ? texts.copied : texts.copy}</span>
    </button>
  );
}

/** A text as it is, with a button that copies it. */
export function Plain({ text }: { readonly text: string }) {
  return (
    <div class="inspect-text">
      <CopyButton text={text} />
      <pre>{text}</pre>
    </div>
  );
}

/** YAML with light colours. */
export function Yaml({ text }: { readonly text: string }) {
  return (
    <div class="inspect-text">
      <CopyButton text={text} />
      <pre class="inspect-yaml">
        {yamlTokens(text).map((tokens, line) => (
          <span key={line}>
            {tokens.map(({ text: piece, kind }) =>
              kind === 'plain' ? piece : <span class={`yaml-${kind}`}>{piece}</span>,
            )}
            {'\n'}
          </span>
        ))}
      </pre>
    </div>
  );
}

/** The fields that a write changed. */
export function Changes({ changes }: { readonly changes: readonly FieldChange[] }) {
  if (changes.length === 0) return <p class="inspect-empty">{texts.changes.none}</p>;
  return (
    <table class="inspect-changes">
      <thead>
        <tr>
          <th scope="col">{texts.changes.field}</th>
          <th scope="col">{texts.changes.before}</th>
          <th scope="col">{texts.changes.after}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ path, from, to }) => (
          <tr key={path}>
            <th scope="row">{path}</th>
            <td>{from === undefined ? <em>{texts.changes.added}</em> : <del>{from}</del>}</td>
            <td>{to === undefined ? <em>{texts.changes.removed}</em> : <ins>{to}</ins>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A list of facts: names and values. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ComponentChild])[] }) {
  return (
    <dl class="inspect-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A section with a headline; an empty one shows a sentence instead. */
export function Section({
  title,
  empty,
  isEmpty = false,
  children,
}: {
  readonly title: string;
  readonly empty?: string;
  readonly isEmpty?: boolean;
  readonly children?: ComponentChildren;
}) {
  return (
    <section class="inspect-section">
      <h3>{title}</h3>
      {isEmpty ? <p class="inspect-empty">{empty}</p> : children}
    </section>
  );
}
