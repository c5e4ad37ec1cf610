import { useMemo, useRef, useState } from 'preact/hooks';
import type { Details, Subject } from '../../protocol/details.ts';
import type { RunService } from '../../protocol/run-service.ts';
import { memo } from '../memo.ts';
import { usePage } from '../page-context.ts';
import { apiServerTabs } from './api-server-panel.tsx';
import { componentTabs } from './component-panel.tsx';
import { formatWhen, subjectName } from './format.ts';
import type { Look } from './looks.ts';
import { MessagePanel } from './message-panel.tsx';
import { nodeTabs } from './node-panel.tsx';
import { objectTabs } from './object-panel.tsx';
import type { PanelActions } from './parts.tsx';
import { RequestPanel } from './request-panel.tsx';
import { type Tab, Tabs } from './tabs.tsx';
import { inspectTexts as texts } from './texts.ts';
import { follow } from './trail.ts';
import { useDetails } from './use-details.ts';

/** Properties of {@link Inspector}. */
export interface InspectorProps {
  readonly subject: Subject;
  readonly onSubject: (subject: Subject) => void;
  readonly service: Pick<RunService, 'inspect' | 'seek'>;
  /** The present, in virtual ms since the cluster stood. */
  readonly now: number;
}

/** The panel that looks into anything: an object, a component, a node, a message, an apiserver. */
export function Inspector({ subject, onSubject, service, now }: InspectorProps) {
  const trail = useRef<readonly Subject[]>([]);
  trail.current = follow(trail.current, subject);
  const look = useDetails(service, subject, now);
  /** The messages that are packets. */
  const packets = useRef(new Set<number>());
  if (subject.kind === 'message' && look?.details?.kind === 'message' && look.details.hops) {
    packets.current.add(subject.id);
  }
  const nameOf = (each: Subject): string =>
    subjectName(each, each.kind === 'message' && packets.current.has(each.id));
  const { report } = usePage();
  const actions: PanelActions = useMemo(
    () => ({ onSubject, onTime: (atMs) => void service.seek(atMs).catch(report) }),
    [onSubject, service, report],
  );
  return (
    <div class="inspect">
      <Trail trail={trail.current} nameOf={nameOf} onSubject={onSubject} />
      <Headline subject={subject} name={nameOf(subject)} details={look?.details} />
      <Content subject={subject} look={look} actions={actions} />
    </div>
  );
}

/** The number of earlier subjects on the way back. */
const TRAIL_SHOWN = 2;

function Trail({
  trail,
  nameOf,
  onSubject,
}: {
  readonly trail: readonly Subject[];
  readonly nameOf: (subject: Subject) => string;
  readonly onSubject: (to: Subject) => void;
}) {
  const before = trail.slice(-1 - TRAIL_SHOWN, -1);
  const last = before.at(-1);
  if (!last) return null;
  return (
    <nav class="inspect-trail" aria-label={texts.trail}>
      <button type="button" class="inspect-back" onClick={() => onSubject(last)}>
        <span aria-hidden="true">← </span>
        {texts.back}
      </button>
      <ol>
        {before.map((each) => (
          <li key={nameOf(each)}>
            <button type="button" class="inspect-link" title={nameOf(each)} onClick={() => onSubject(each)}>
              {nameOf(each)}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Headline({
  subject,
  name,
  details,
}: {
  readonly subject: Subject;
  readonly name: string;
  readonly details: Details | undefined;
}) {
  const isMessage = details?.kind === 'message' || details?.kind === 'request';
  const kind = subject.kind === 'object' ? subject.resource : isMessage ? name : texts.kinds[subject.kind];
  const title = isMessage ? details.title : subject.kind === 'object' ? subject.key : name;
  return (
    <header class="inspect-head">
      <p class="inspect-kind">
        {kind}
        {isMessage && ` · ${formatWhen(details.atMs)}`}
      </p>
      <h2>{title}</h2>
    </header>
  );
}

/** Properties of {@link Content}. */
interface ContentProps {
  readonly subject: Subject;
  readonly look: Look | undefined;
  readonly actions: PanelActions;
}

/** It is drawn again with each look, and not with each frame. */
const Content = memo(({ subject, look, actions }: ContentProps) => {
  /** The tab that was last open, for each kind of subject. */
  const [open, setOpen] = useState<Readonly<Record<string, string>>>({});
  if (!look) return <p class="inspect-empty">{texts.loading}</p>;
  if (look.error !== undefined) return <p class="inspect-error">{texts.failed(look.error)}</p>;
  const { details } = look;
  if (!details) return <p class="inspect-empty">{texts.notFound(subjectName(subject))}</p>;
  if (details.kind === 'message') return <MessagePanel details={details} actions={actions} />;
  if (details.kind === 'request') return <RequestPanel details={details} />;
  const rules = (subject.kind === 'node' && subject.rules) || '';
  const tabs = tabsOf(details, { actions, rules });
  // A link to rules opens their tab.
  const name = rules === '' ? details.kind : `rules ${rules}`;
  return (
    <Tabs
      tabs={tabs}
      open={open[name] ?? (rules === '' ? undefined : 'network')}
      onOpen={(id) => setOpen((before) => ({ ...before, [name]: id }))}
    />
  );
}, 'Content');

function tabsOf(
  details: Exclude<Details, { kind: 'message' | 'request' }>,
  { actions, rules }: { readonly actions: PanelActions; readonly rules: string },
): readonly Tab[] {
  switch (details.kind) {
    case 'object':
      return objectTabs(details, actions);
    case 'component':
      return componentTabs(details, actions);
    case 'node':
      return nodeTabs(details, actions, rules);
    case 'apiserver':
      return apiServerTabs(details, actions);
  }
}
