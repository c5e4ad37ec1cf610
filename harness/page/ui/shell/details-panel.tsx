import { useRef } from 'preact/hooks';
import type { Subject } from '../../protocol/details.ts';
import { memo } from '../memo.ts';
import { usePage, useRun } from '../page-context.ts';
import type { Panels } from '../panels.ts';
import { useRoving } from '../roving.ts';
import { texts } from '../texts.ts';
import { formatTime } from '../time-line/format-time.ts';
import { MomentGlyph } from '../time-line/moment-glyph.tsx';
import { digest, type NewsItem } from './digest.ts';
import { Hints } from './hints.tsx';

/** Properties of the panel. */
export interface DetailsPanelProps {
  readonly subject: Subject | undefined;
  readonly panels: Panels;
  readonly showsHints: boolean;
  readonly onHideHints: () => void;
}

/** The panel beside the picture: the subject, or hints and news. */
export function DetailsPanel({ subject, panels, showsHints, onHideHints }: DetailsPanelProps) {
  const { select, openMenu } = usePage();
  const { Inspector } = panels;
  return (
    <aside class="details" aria-label={texts.regions.details}>
      {subject ? (
        <>
          <div class="details-tools">
            {panels.Menu && (
              <button
                type="button"
                class="link"
                onClick={(event) => openMenu(subject, event.currentTarget.getBoundingClientRect())}
              >
                {texts.menu.actions}
              </button>
            )}
            <button
              type="button"
              class="close"
              onClick={() => select(undefined)}
              aria-label={texts.closeDetails}
            >
              ×
            </button>
          </div>
          {Inspector ? (
            <Look Inspector={Inspector} subject={subject} />
          ) : (
            <p class="empty">{texts.panelMissing}</p>
          )}
        </>
      ) : (
        <>
          {showsHints && <Hints sample={panels.sample} onHide={onHideHints} />}
          <News />
        </>
      )}
    </aside>
  );
}

function Look({
  Inspector,
  subject,
}: {
  readonly Inspector: NonNullable<Panels['Inspector']>;
  readonly subject: Subject;
}) {
  const { service, select } = usePage();
  const now = useRun(({ nowMs }) => nowMs);
  return <Inspector subject={subject} onSubject={select} service={service} now={now} />;
}

/** The number of moments that the news are made of, and of their lines. */
const MOMENTS_MAX = 400;
const LINES_MAX = 30;

/** The latest moments, newest first. */
function News() {
  const moments = useRun(({ moments }) => moments);
  const list = useRef<HTMLOListElement>(null);
  const roving = useRoving(list, 'first');
  const items = digest(moments.slice(-MOMENTS_MAX)).slice(-LINES_MAX).reverse();
  return (
    <section class="news">
      <h2>{texts.news.latest}</h2>
      {moments.length === 0 && <p class="empty">{texts.news.empty}</p>}
      <ol ref={list} {...roving}>
        {items.map(({ moment, more }) => (
          <NewsLine key={`${moment.atMs} ${moment.text}`} moment={moment} more={more} />
        ))}
      </ol>
    </section>
  );
}

const NewsLine = memo(({ moment, more }: NewsItem) => {
  const { service, report } = usePage();
  const { atMs, kind, text } = moment;
  return (
    <li>
      <button
        type="button"
        class={`news-line moment-${kind}`}
        tabIndex={-1}
        onClick={() => service.seek(atMs).catch(report)}
      >
        <MomentGlyph kind={kind} count={1 + more} />
        <time>{formatTime(atMs)}</time>
        <span>{more === 0 ? text : texts.news.more(text, more)}</span>
      </button>
    </li>
  );
}, 'NewsLine');
