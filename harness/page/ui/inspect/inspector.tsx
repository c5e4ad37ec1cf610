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
  const { report } = usePage();
  const actions: PanelActions = useMemo(
    () => ({ onSubject, onTime: (atMs) => void service.seek(atMs).catch(report) }),
    [onSubject, service, report],
  );
  return (
    <div class="inspect">
      <Trail trail={trail.current} onSubject={onSubject} />
      <Headline subject={subject} details={look?.details} />
      <Content subject={subject} look={look} actions={actions} />
    </div>
  );
}

/** The number of earlier subjects on the way back. */
const TRAIL_SHOWN = 2;

function Trail({
  trail,
  onSubject,
}: {
  readonly trail: readonly Subject[];
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
          <li key={subjectName(each)}>
            <button
              type="button"
              class="inspect-link"
              title={subjectName(each)}
              onClick={() => onSubject(each)}
            >
              {subjectName(each)}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Headline({
  subject,
  details,
}: {
  readonly subject: Subject;
  readonly details: Details | undefined;
}) {
  const isMessage = details?.kind === 'message';
  const kind =
    subject.kind === 'object'
      ? subject.resource
      : isMessage && details.hops
        ? texts.kinds.packet
        : texts.kinds[subject.kind];
  const name = isMessage ? details.title : subject.kind === 'object' ? subject.key : subjectName(subject);
  return (
    <header class="inspect-head">
      <p class="inspect-kind">
        {kind}
        {isMessage && ` · ${formatWhen(details.atMs)}`}
      </p>
      <h2>{name}</h2>
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
  const tabs = tabsOf(details, actions);
  return (
    <Tabs
      tabs={tabs}
      open={open[details.kind]}
      onOpen={(id) => setOpen((before) => ({ ...before, [details.kind]: id }))}
    />
  );
}, 'Content');

function tabsOf(details: Exclude<Details, { kind: 'message' }>, actions: PanelActions): readonly Tab[] {
  switch (details.kind) {
    case 'object':
      return objectTabs(details, actions);
    case 'component':
      return componentTabs(details, actions);
    case 'node':
      return nodeTabs(details, actions);
    case 'apiserver':
      return apiServerTabs(details, actions);
  }
}
