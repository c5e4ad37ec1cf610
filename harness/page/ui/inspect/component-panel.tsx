import type { ComponentDetails, Subject } from '../../protocol/details.ts';
import { SourcePlace } from '../source-place.tsx';
import { CachePanel } from './cache-panel.tsx';
import { formatWhen, sharedTimes } from './format.ts';
import { Facts, type PanelActions, Section, SubjectLink, When } from './parts.tsx';
import { Requests } from './request-panel.tsx';
import { SchedulingPanel } from './scheduling-panel.tsx';
import type { Tab } from './tabs.tsx';
import { inspectTexts } from './texts.ts';

const texts = inspectTexts.component;

/** Returns the tabs of a component. */
export function componentTabs(details: ComponentDetails, actions: PanelActions): readonly Tab[] {
  const { caches, decisions, scheduling, log, component, requests } = details;
  const differing = caches.reduce((sum, { differences }) => sum + differences.length, 0);
  const tabs = inspectTexts.tabs;
  return [
    { id: 'now', title: tabs.now, draw: () => <Now details={details} actions={actions} /> },
    {
      id: 'cache',
      title: tabs.cache,
      count: differing,
      draw: () => <CachePanel caches={caches} onSubject={actions.onSubject} />,
    },
    ...(component.part === 'scheduler'
      ? [
          {
            id: 'scheduling',
            title: tabs.scheduling,
            count: scheduling.length,
            draw: () => <SchedulingPanel tables={scheduling} actions={actions} />,
          },
        ]
      : []),
    {
      id: 'decisions',
      title: tabs.decisions,
      draw: () =>
        decisions.length === 0 ? (
          <p class="inspect-empty">{texts.noDecisions}</p>
        ) : (
          <Decisions decisions={decisions} actions={actions} />
        ),
    },
    {
      id: 'requests',
      title: tabs.requests,
      draw: () => <Requests requests={requests} actions={actions} />,
    },
    {
      id: 'log',
      title: tabs.log,
      draw: () =>
        log.length === 0 ? <p class="inspect-empty">{texts.noLog}</p> : <Log log={log} actions={actions} />,
    },
  ];
}

function Now({ details, actions }: { readonly details: ComponentDetails; readonly actions: PanelActions }) {
  const { component, kata, waitsFor, queues, expectations } = details;
  const { state, starts, owner, error } = component;
  return (
    <>
      <p class="inspect-lead">
        <span class={`inspect-state inspect-state-${state.replace(' ', '-')}`}>{texts.state[state]}</span>,{' '}
        {texts.starts(starts)}, {texts.owner[owner](kata)}
      </p>
      {error && (
        <Section title={texts.error}>
          <p class="inspect-error">
            <When atMs={error.atMs} onTime={actions.onTime} /> {error.message}
            {error.place !== undefined && <SourcePlace place={error.place} />}
          </p>
        </Section>
      )}
      <Section title={texts.waitsFor}>
        <ul class="inspect-list">
          {waitsFor.map(({ about, text }) => (
            <li key={`${about?.label} ${text}`}>
              {about && (
                <>
                  <SubjectLink subject={about.subject} onSubject={actions.onSubject}>
                    {about.label}
                  </SubjectLink>
                  {': '}
                </>
              )}
              {text}
            </li>
          ))}
        </ul>
      </Section>
      {expectations.length > 0 && (
        <Section title={texts.expectations}>
          <Facts facts={expectations.map((each) => [each.owner, texts.expects(each)])} />
          <p class="inspect-soft">{texts.notSeen}</p>
        </Section>
      )}
      <Section title={texts.queues} isEmpty={queues.length === 0} empty={texts.noQueue}>
        {queues.map((queue) => (
          <Queue key={queue.name} queue={queue} />
        ))}
      </Section>
    </>
  );
}

function Queue({ queue }: { readonly queue: ComponentDetails['queues'][number] }) {
  const { name, items, processing, later } = queue;
  const rows = [
    ...processing.map((item) => [item, texts.processing] as const),
    ...items.map((item) => [item, texts.inQueue] as const),
    ...later.map(
      ({ item, atMs }) =>
        [item, atMs === undefined ? texts.retry : `${texts.later}, ${formatWhen(atMs)}`] as const,
    ),
  ];
  return (
    <div class="inspect-queue">
      <h4>{name}</h4>
      {rows.length === 0 ? (
        <p class="inspect-empty">{texts.empty}</p>
      ) : (
        <ol class="inspect-list">
          {rows.map(([item, where]) => (
            <li key={`${where} ${item}`}>
              {item} <span class="inspect-soft">{where}</span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function Decisions({
  decisions,
  actions,
}: {
  readonly decisions: ComponentDetails['decisions'];
  readonly actions: PanelActions;
}) {
  const shared = sharedTimes(decisions.map(({ atMs }) => atMs));
  return (
    <ol class="inspect-lines">
      {decisions.map(({ atMs, text, message, subject }) => (
        <li key={`${atMs} ${text}`}>
          <When atMs={atMs} isExact={shared.has(atMs)} onTime={actions.onTime} />{' '}
          <Linked
            subject={subject ?? (message === undefined ? undefined : { kind: 'message', id: message })}
            onSubject={actions.onSubject}
          >
            {text}
          </Linked>
        </li>
      ))}
    </ol>
  );
}

function Linked({
  subject,
  onSubject,
  children,
}: Pick<PanelActions, 'onSubject'> & { readonly subject: Subject | undefined; readonly children: string }) {
  if (!subject) return <>{children}</>;
  return (
    <SubjectLink subject={subject} onSubject={onSubject}>
      {children}
    </SubjectLink>
  );
}

function Log({ log, actions }: { readonly log: ComponentDetails['log']; readonly actions: PanelActions }) {
  const shared = sharedTimes(log.map(({ atMs }) => atMs));
  return (
    <ol class="inspect-lines inspect-mono">
      {log.map(({ atMs, text, expected }, i) => (
        <li key={`${atMs} ${i}`}>
          <When atMs={atMs} isExact={shared.has(atMs)} onTime={actions.onTime} />{' '}
          <span>
            {text}
            {expected !== undefined && <span class="inspect-expected">{texts.expected(expected)}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}
