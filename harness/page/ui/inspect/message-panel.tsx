import type { HopDetails, MessageDetails } from '../../protocol/details.ts';
import { subjectName } from './format.ts';
import { Changes, type PanelActions, Section, SubjectLink } from './parts.tsx';
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
  const { changes, subject, hops, fate } = details;
  return (
    <div class="inspect-panel">
      {subject && (
        <p class="inspect-lead">
          <span class="inspect-soft">{texts.about}</span>{' '}
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
          <Way title={texts.there} hops={hops.filter(({ direction }) => direction === 'there')} />
          <Way title={texts.back} hops={hops.filter(({ direction }) => direction === 'back')} />
        </>
      )}
      {changes && (
        <Section title={texts.changed}>
          <Changes changes={changes} />
        </Section>
      )}
    </div>
  );
}

/** A vertical path. Steps at one place stand together; a change of the packet stands out. */
function Way({ title, hops }: { readonly title: string; readonly hops: readonly HopDetails[] }) {
  if (hops.length === 0) return null;
  const places: { where: string; steps: HopDetails[] }[] = [];
  for (const hop of hops) {
    const last = places.at(-1);
    if (last?.where === hop.where) last.steps.push(hop);
    else places.push({ where: hop.where, steps: [hop] });
  }
  return (
    <Section title={title}>
      <ol class="inspect-way">
        {places.map(({ where, steps }, i) => (
          <li key={i}>
            <h4>{where}</h4>
            <ol>
              {steps.map(({ what, packet, isChanged }, j) => (
                <li key={j} class={isChanged ? 'inspect-changed' : ''}>
                  {what}
                  {(isChanged || (i === 0 && j === 0)) && (
                    <p>
                      {isChanged && <span class="inspect-soft">{texts.packetChanges} </span>}
                      <code>{packet}</code>
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

function isGood(fate: string): boolean {
  return fate === 'ok' || fate.startsWith('ok:') || fate.startsWith('delivered');
}
