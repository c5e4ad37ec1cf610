import type { HopDetails, MessageDetails, Subject } from '../../protocol/details.ts';
import { subjectName } from './format.ts';
import { Changes, type PanelActions, Section, SubjectLink } from './parts.tsx';
import { RequestWay } from './request-panel.tsx';
import { inspectTexts } from './texts.ts';

const texts = inspectTexts.message;

/** A message: the changes of a request, or the way of a packet from step to step. */
export function MessagePanel({
  details,
  actions,
}: {
  readonly details: MessageDetails;
  readonly actions: PanelActions;
}) {
  const { changes, subject, hops, fate, request } = details;
  return (
    <div class="inspect-panel">
      {subject && (
        <p class="inspect-lead">
          <span class="inspect-soft">{hops ? texts.receiver : texts.about}</span>{' '}
          <SubjectLink subject={subject} onSubject={actions.onSubject}>
            {subjectName(subject)}
          </SubjectLink>
        </p>
      )}
      {fate !== undefined && (
        <Section title={texts.result}>
          <p class={isGood(fate) ? '' : 'inspect-error'}>
            <span aria-hidden="true">{isGood(fate) ? '✓ ' : '✗ '}</span>
            {fate}
          </p>
        </Section>
      )}
      {hops && (
        <>
          <p class="inspect-soft">{texts.onMap}</p>
          <Way
            title={texts.there}
            hops={hops.filter(({ direction }) => direction === 'there')}
            actions={actions}
          />
          <Way
            title={texts.back}
            hops={hops.filter(({ direction }) => direction === 'back')}
            actions={actions}
          />
        </>
      )}
      {request && <RequestWay details={request} />}
      {changes && (
        <Section title={texts.changed}>
          <Changes changes={changes} />
        </Section>
      )}
    </div>
  );
}

/** A vertical path. Steps at one place stand together; a change of the packet stands out. */
function Way({
  title,
  hops,
  actions,
}: {
  readonly title: string;
  readonly hops: readonly HopDetails[];
  readonly actions: PanelActions;
}) {
  if (hops.length === 0) return null;
  const places: { where: string; subject: Subject | undefined; steps: HopDetails[] }[] = [];
  for (const hop of hops) {
    const last = places.at(-1);
    if (last?.where === hop.where) last.steps.push(hop);
    else places.push({ where: hop.where, subject: subjectOf(hop), steps: [hop] });
  }
  return (
    <Section title={title}>
      <ol class="inspect-way">
        {places.map(({ where, subject, steps }, i) => (
          <li key={i}>
            <h4>
              {subject ? (
                <SubjectLink subject={subject} onSubject={actions.onSubject}>
                  {where}
                </SubjectLink>
              ) : (
                where
              )}
            </h4>
            <ol>
              {steps.map(({ what, packet, isChanged, why, rules }, j) => (
                <li key={j} class={isChanged ? 'inspect-changed' : ''}>
                  {what}
                  {(isChanged || (i === 0 && j === 0)) && (
                    <p>
                      {isChanged && <span class="inspect-soft">{texts.packetChanges} </span>}
                      <code>{packet}</code>
                    </p>
                  )}
                  {why !== undefined && (
                    <p class="inspect-soft">
                      {why}{' '}
                      {rules && (
                        <SubjectLink subject={rules} onSubject={actions.onSubject}>
                          {texts.rules}
                        </SubjectLink>
                      )}
                    </p>
                  )}
                </li>
              ))}
            </ol>
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** Returns the pod or the node of a step; undefined for a host outside. */
function subjectOf({ place }: HopDetails): Subject | undefined {
  const [, kind, name = ''] = /^(pod|node):(.+)$/.exec(place) ?? [];
  if (kind === 'pod') return { kind: 'object', resource: 'pods', key: name };
  return kind === 'node' ? { kind: 'node', name } : undefined;
}

function isGood(fate: string): boolean {
  return fate === 'ok' || fate.startsWith('ok:') || fate.startsWith('delivered');
}
