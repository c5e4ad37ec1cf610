import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Subject } from '../protocol/details.ts';
import type { RunService } from '../protocol/run-service.ts';
import { ClusterPicture } from './cluster/cluster-picture.tsx';
import { type Command, commandOf } from './keyboard.ts';
import type { Notice, Notices } from './notices.ts';
import { type Page, PageContext } from './page-context.ts';
import type { Panels } from './panels.ts';
import { type Settings, writeSettings } from './settings.ts';
import { DetailsPanel } from './shell/details-panel.tsx';
import { Drawers } from './shell/drawers.tsx';
import { Header } from './shell/header.tsx';
import { HelpDialog } from './shell/help-dialog.tsx';
import { LiveRegion } from './shell/live-region.tsx';
import { NoticeLine } from './shell/notice-line.tsx';
import { Splitter } from './shell/splitter.tsx';
import { Starting } from './shell/starting.tsx';
import { TabBar, type TabName } from './shell/tab-bar.tsx';
import { playSlowly } from './slow-motion.ts';
import type { RunStore } from './store.ts';
import { texts } from './texts.ts';
import { momentAfter, momentBefore } from './time-line/moment-clusters.ts';
import { formatSpeed, nextSpeed } from './time-line/speed.ts';
import { TimeLine } from './time-line/time-line.tsx';
import { Transport } from './time-line/transport.tsx';

/** Properties of the page. */
export interface AppProps {
  readonly service: RunService;
  readonly store: RunStore;
  readonly panels: Panels;
  readonly settings: Settings;
  readonly notices: Notices;
  /** Ends the worker, and begins again. */
  readonly onRestart: () => void;
}

const themes: readonly Settings['theme'][] = ['system', 'light', 'dark'];

/** The whole page. */
export function App({ service, store, panels, settings: stored, notices, onRestart }: AppProps) {
  const [settings, setSettings] = useState(stored);
  const [speed, setSpeed] = useState(1);
  const [subject, setSubject] = useState<Subject>();
  const [drawer, setDrawer] = useState<string>();
  const [menu, setMenu] = useState<{ readonly subject: Subject; readonly at: DOMRect }>();
  const [hasHelp, setHelp] = useState(false);
  const [tab, setTab] = useState<TabName>('cluster');

  const changeSettings = useCallback((next: Settings) => {
    setSettings(next);
    writeSettings(localStorage, next);
    document.documentElement.dataset.theme = next.theme;
  }, []);

  const changeWidth = (detailsPx: number | undefined) => {
    const { detailsPx: _, ...rest } = settings;
    changeSettings(detailsPx === undefined ? rest : { ...rest, detailsPx });
  };

  const latestSpeed = useRef(speed);
  latestSpeed.current = speed;
  const playAt = (next: number): Promise<void> => {
    setSpeed(next);
    latestSpeed.current = next;
    return service.play(next).catch(notices.report);
  };

  const slowMotion = useRef<Notice | undefined>(undefined);
  const showSlowMotion = (slow: number | undefined): void => {
    const before = slowMotion.current;
    slowMotion.current =
      slow === undefined ? undefined : { text: texts.time.slowMotion(formatSpeed(slow)), isError: false };
    if (slow !== undefined || notices.present === before) notices.show(slowMotion.current);
  };

  const page = useMemo<Page>(
    () => ({
      service,
      store,
      select: (next) => {
        setSubject(next);
        if (next) setTab('details');
      },
      openMenu: (of, at) => setMenu({ subject: of, at }),
      openDrawer: (id) => {
        setDrawer(id);
        setTab('console');
      },
      playSlowly: () =>
        void playSlowly({ store, playAt, speedNow: () => latestSpeed.current, onSpeed: showSlowMotion }),
      report: notices.report,
    }),
    [service, store, notices],
  );

  // Messages and requests of a dropped future do not exist any more, and others have their numbers.
  useEffect(() => {
    let { dropped } = store.state;
    return store.subscribe(() => {
      const isNew = store.state.dropped !== dropped && store.state.dropped > 0;
      dropped = store.state.dropped;
      const isNumbered = (shown: Subject): boolean => shown.kind === 'message' || shown.kind === 'request';
      if (isNew) setSubject((shown) => (shown && isNumbered(shown) ? undefined : shown));
    });
  }, [store]);

  const play = () =>
    void (store.state.phase === 'playing' ? service.pause() : service.play(speed)).catch(page.report);
  const changeSpeed = (direction: 1 | -1) => {
    const next = nextSpeed(speed, direction);
    setSpeed(next);
    if (store.state.phase === 'playing') service.play(next).catch(page.report);
  };
  const seek = (toMs: number | undefined) => toMs !== undefined && service.seek(toMs).catch(page.report);

  const commands: Readonly<Record<Command, () => void>> = {
    play,
    faster: () => changeSpeed(1),
    slower: () => changeSpeed(-1),
    step: () => void service.step().catch(page.report),
    back: () => seek(momentBefore(store.state.moments, store.state.nowMs)),
    'previous-moment': () => seek(momentBefore(store.state.moments, store.state.nowMs)),
    'next-moment': () => seek(momentAfter(store.state.future, store.state.nowMs)),
    end: () => seek(store.state.endMs),
    help: () => setHelp(true),
    theme: () =>
      changeSettings({
        ...settings,
        theme: themes[(themes.indexOf(settings.theme) + 1) % themes.length] ?? 'system',
      }),
    prompt: () => {
      page.openDrawer('prompt');
      requestAnimationFrame(() => document.querySelector<HTMLElement>('#drawer textarea')?.focus());
    },
    close: () => {
      if (notices.present) notices.show(undefined);
      else if (panels.closeNews?.()) return;
      else if (subject) page.select(undefined);
      else setDrawer(undefined);
    },
  };
  useKeys(commands, settings.usesKeys);
  useHiddenPause(page, settings, speed);

  return (
    <PageContext.Provider value={page}>
      <a class="skip" href="#cluster">
        {texts.skipToCluster}
      </a>
      <div
        class="page"
        data-tab={tab}
        style={settings.detailsPx === undefined ? undefined : { '--details': `${settings.detailsPx}px` }}
      >
        <Header theme={settings.theme} onTheme={commands.theme} onHelp={commands.help} />
        <main id="cluster" class="cluster" aria-label={texts.regions.cluster}>
          <ClusterPicture subject={subject} settings={settings} speed={speed} />
          <Starting onRestart={onRestart} />
        </main>
        <Splitter width={settings.detailsPx} onWidth={changeWidth} />
        <DetailsPanel
          subject={subject}
          panels={panels}
          showsHints={!settings.hidesHints}
          onHideHints={() => changeSettings({ ...settings, hidesHints: true })}
        />
        <Drawers drawers={panels.drawers} open={drawer} onOpen={setDrawer} />
        <TabBar tab={tab} onTab={setTab} />
        <section class="time" aria-label={texts.regions.time}>
          <h2 class="sr-only">{texts.regions.time}</h2>
          <Transport speed={speed} onPlay={play} onSpeed={changeSpeed} />
          <TimeLine />
        </section>
      </div>
      <div class="notices">
        <NoticeLine notices={notices} />
        {panels.News && <panels.News />}
      </div>
      {menu && panels.Menu && <panels.Menu {...menu} onClose={() => setMenu(undefined)} />}
      {hasHelp && (
        <HelpDialog settings={settings} onSettings={changeSettings} onClose={() => setHelp(false)} />
      )}
      <LiveRegion isSlow={speed < 1} />
    </PageContext.Provider>
  );
}

/**
 * Takes the focus from a button that the pointer has pressed: the next space bar is meant for the clock. A button that a
 * key has pressed keeps the focus.
 */
function leavePressed({ detail, target }: MouseEvent): void {
  if (detail === 0 || !(target instanceof Element)) return;
  target.closest<HTMLElement>('.hint, .icon-button, .moment, .news-line')?.blur();
}

/** Listens to the keys of the page. */
function useKeys(commands: Readonly<Record<Command, () => void>>, usesKeys: boolean): void {
  const latest = useRef({ commands, usesKeys });
  latest.current = { commands, usesKeys };
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      // The browser closes a dialog or a menu itself, and gives the focus back.
      if (event.defaultPrevented || document.querySelector('dialog[open], :popover-open')) return;
      const focus = event.target instanceof HTMLElement ? event.target : document.body;
      const command = commandOf({
        key: event.key,
        usesKeys: latest.current.usesKeys,
        hasModifier: event.ctrlKey || event.altKey || event.metaKey,
        isTyping: focus.isContentEditable || focus.matches('input:not([type=checkbox]), textarea, select'),
        // Enter presses a box of the cluster: there the space bar plays.
        isPressable: focus.matches('button:not(.box), a, summary, [role=menuitem], input'),
      });
      if (!command) return;
      event.preventDefault();
      latest.current.commands[command]();
    };
    addEventListener('keydown', listen);
    addEventListener('click', leavePressed);
    return () => {
      removeEventListener('keydown', listen);
      removeEventListener('click', leavePressed);
    };
  }, []);
}

/** Pauses the run while the tab is hidden, and plays on afterwards. */
function useHiddenPause(
  { service, store, report }: Page,
  { pausesWhenHidden }: Settings,
  speed: number,
): void {
  const latest = useRef(speed);
  latest.current = speed;
  useEffect(() => {
    if (!pausesWhenHidden) return;
    let hasPaused = false;
    const listen = () => {
      if (document.hidden && store.state.phase === 'playing') {
        hasPaused = true;
        service.pause().catch(report);
      } else if (!document.hidden && hasPaused) {
        hasPaused = false;
        service.play(latest.current).catch(report);
      }
    };
    document.addEventListener('visibilitychange', listen);
    return () => document.removeEventListener('visibilitychange', listen);
  }, [service, store, report, pausesWhenHidden]);
}
