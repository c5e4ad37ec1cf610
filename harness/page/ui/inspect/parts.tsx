import { type ComponentChild, type ComponentChildren, Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { FieldChange, Subject } from '../../protocol/details.ts';
import { usePage } from '../page-context.ts';
import { argumentsOf, formatWhen, indentOf } from './format.ts';
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

/** A link to the request of a write, if it is known. */
export function RequestLink({
  message,
  onSubject,
}: Pick<PanelActions, 'onSubject'> & { readonly message: number | undefined }) {
  if (message === undefined) return null;
  return (
    <>
      {' '}
      <SubjectLink subject={{ kind: 'message', id: message }} onSubject={onSubject}>
        {texts.when.request}
      </SubjectLink>
    </>
  );
}

/** A time, which is a link to it. Times from before the cluster stood are none. */
export function When({
  atMs,
  isExact = false,
  onTime,
}: Pick<PanelActions, 'onTime'> & {
  readonly atMs: number;
  /** Whether it shows its milliseconds, too. */
  readonly isExact?: boolean;
}) {
  if (atMs < 0) return <time class="inspect-when">{formatWhen(atMs, isExact)}</time>;
  return (
    <button
      type="button"
      class="inspect-link inspect-when"
      title={texts.when.title}
      onClick={() => onTime(atMs)}
    >
      {formatWhen(atMs, isExact)}
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

/** A text whose long lines go on below their own beginning, with a button that copies it. */
export function Plain({ text }: { readonly text: string }) {
  return (
    <div class="inspect-text">
      <CopyButton text={text} />
      <pre class="inspect-hanging">
        {text
          .trimEnd()
          .split('\n')
          .map((line, i) => (
            <span key={i} style={hanging(line)}>
              {`${line}\n`}
            </span>
          ))}
      </pre>
    </div>
  );
}

/** Returns the indentation of the lines into which a long line breaks. */
function hanging(line: string): { readonly '--indent': number } {
  return { '--indent': indentOf(line) };
}

/** Commands that may break between their arguments, and not between an option and its value. */
export function Lines({ lines }: { readonly lines: readonly string[] }) {
  return (
    <div class="inspect-text">
      <CopyButton text={lines.join('\n')} />
      <pre class="inspect-wrapped">
        {lines.map((line, i) => (
          <span key={`${i} ${line}`}>
            {argumentsOf(line).map((each, j) => (
              <Fragment key={j}>
                {j > 0 && ' '}
                <span>{each}</span>
              </Fragment>
            ))}
            {'\n'}
          </span>
        ))}
      </pre>
    </div>
  );
}

/** YAML with light colours. */
export function Yaml({ text }: { readonly text: string }) {
  return (
    <div class="inspect-text">
      <CopyButton text={text} />
      <pre class="inspect-hanging">
        {yamlTokens(text).map((tokens, line) => (
          <span key={line} style={hanging(tokens.map((each) => each.text).join(''))}>
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
