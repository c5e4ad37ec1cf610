import type { ComponentDetails } from '../../protocol/details.ts';
import { Changes, type PanelActions, Section, SubjectLink } from './parts.tsx';
import { inspectTexts } from './texts.ts';

const texts = inspectTexts.component;

type Cache = ComponentDetails['caches'][number];

/** Properties of {@link CachePanel}. */
interface CachePanelProps extends Pick<PanelActions, 'onSubject'> {
  readonly caches: readonly Cache[];
}

/** The caches of a component, and the objects that the server has in another version. */
export function CachePanel({ caches, onSubject }: CachePanelProps) {
  if (caches.length === 0) return <p class="inspect-empty">{texts.noCaches}</p>;
  const differing = caches.filter(({ differences }) => differences.length > 0);
  return (
    <>
      <table class="inspect-table">
        <thead>
          <tr>
            <th scope="col">{texts.resource}</th>
            <th scope="col" class="inspect-number">
              {texts.objects}
            </th>
            <th scope="col" class="inspect-number">
              {texts.cacheRevision}
            </th>
            <th scope="col">{texts.behind}</th>
          </tr>
        </thead>
        <tbody>
          {caches.map(({ resource, objects, revision, behind, lag }) => (
            <tr key={resource} class={lag === 'late' || lag === 'held' ? 'inspect-behind' : ''}>
              <th scope="row">{resource}</th>
              <td class="inspect-number">{objects}</td>
              <td class="inspect-number">{revision ?? texts.notListed}</td>
              <td>{texts.lag[lag](behind)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {caches.some(({ lag }) => lag === 'none') && <p class="inspect-empty">{texts.currentMeans}</p>}
      {differing.length === 0 && <p class="inspect-empty">{texts.same}</p>}
      {differing.map((cache) => (
        <Differences key={cache.resource} cache={cache} onSubject={onSubject} />
      ))}
    </>
  );
}

function Differences({
  cache: { resource, differences },
  onSubject,
}: Pick<PanelActions, 'onSubject'> & { readonly cache: Cache }) {
  return (
    <Section title={texts.differences(resource)}>
      <ul class="inspect-differences">
        {differences.map(({ key, cached, stored, changes }) => (
          <li key={key}>
            <p>
              <SubjectLink subject={{ kind: 'object', resource, key }} onSubject={onSubject}>
                {key}
              </SubjectLink>
              <span class="inspect-soft">
                {' '}
                {texts.cached}: {cached === undefined ? texts.absent : inspectTexts.when.revision(cached)} ·{' '}
                {texts.stored}: {stored === undefined ? texts.absent : inspectTexts.when.revision(stored)}
              </span>
            </p>
            {changes.length > 0 && <Changes changes={changes} />}
          </li>
        ))}
      </ul>
    </Section>
  );
}
