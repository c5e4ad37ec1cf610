import { type ComponentChild, type ComponentChildren, Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { FieldChange, Subject } from '../../protocol/details.ts';
import { usePage } from '../page-context.ts';
import { argumentsOf, formatWhen } from './format.ts';
import { inspectTexts as texts } from './texts.ts';
import { yamlTokens } from './yaml-tokens.ts';

/** The links of the panels to other subjects and times. */
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
  const { report } = usePage();
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(() => setCopied(true), report);
  };
  return (
    <button type="button" class="inspect-copy" onClick={copy} onBlur={() => setCopied(false)}>
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

/** Commands that may break between their arguments, and not between an option and its value. */
export function Lines({ lines }: { readonly lines: readonly string[] }) {
  return (
    <div class="inspect-text">
      <CopyButton text={lines.join('\n')} />
      <ol class="inspect-wrapped">
        {lines.map((line, i) => (
          <li key={`${i} ${line}`}>
            {argumentsOf(line).map((each, j) => (
              <Fragment key={j}>
                {j > 0 && ' '}
                <span>{each}</span>
              </Fragment>
            ))}
          </li>
        ))}
      </ol>
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

/** Fields that only repeat the time of a change. */
const TIMES = /\.last(?:Transition|Heartbeat|Update|Probe)Time$/;

/** The fields that a write changed: each with its values before and after. Times of conditions are only counted. */
export function Changes({ changes }: { readonly changes: readonly FieldChange[] }) {
  if (changes.length === 0) return <p class="inspect-empty">{texts.changes.none}</p>;
  const told = changes.filter(({ path }) => !TIMES.test(path));
  const times = changes.length - told.length;
  return (
    <ul class="inspect-changes">
      {told.map(({ path, from, to }) => (
        <li key={path}>
          <span class="inspect-path">{path}</span>
          <span class="inspect-values">
            {from === undefined ? <em>{texts.changes.added}</em> : <del>{from}</del>}
            <span aria-hidden="true"> → </span>
            {to === undefined ? <em>{texts.changes.removed}</em> : <ins>{to}</ins>}
          </span>
        </li>
      ))}
      {times > 0 && <li class="inspect-soft">{texts.changes.times(times)}</li>}
    </ul>
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
