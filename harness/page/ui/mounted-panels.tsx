import { useCallback } from 'preact/hooks';
import type { RunService } from '../protocol/run-service.ts';
import { ActSession } from './act/act-session.ts';
import { ActionsList } from './act/actions-list.tsx';
import { EditorPanel } from './act/editor-panel.tsx';
import { LatestAct } from './act/latest-act.tsx';
import { Menu } from './act/menu.tsx';
import { Prompt } from './act/prompt.tsx';
import { samples } from './act/samples.ts';
import { UndoLine } from './act/undo-line.tsx';
import { Inspector } from './inspect/inspector.tsx';
import { loadedLater } from './loaded-later.tsx';
import { OwnPanel } from './own/own-panel.tsx';
import { usePage, useRun } from './page-context.ts';
import type { MenuProps, Panels } from './panels.ts';
import { NewRun } from './shell/new-run.tsx';
import { texts } from './texts.ts';
import { formatTime } from './time-line/format-time.ts';
import { Happenings } from './time-line/happenings.tsx';
import './act/act.css';
import './inspect/inspect.css';
import './own/own.css';
import './sequence/sequence.css';

const SequenceDrawer = loadedLater(
  async () => (await import('./sequence/sequence-drawer.tsx')).SequenceDrawer,
);

/** The parts that the page shows, and the session behind its prompt, its menus and its editor. */
export function mountedPanels(service: RunService): {
  readonly panels: Panels;
  readonly session: ActSession;
} {
  const session = new ActSession(service);

  function PromptDrawer() {
    const actions = useRun((state) => state.actions);
    const nowMs = useRun((state) => state.nowMs);
    const later = useRun((state) => state.future.length);
    const { select } = usePage();
    const showRequest = useCallback((number: number) => select({ kind: 'request', number }), [select]);
    return (
      <Prompt
        session={session}
        actions={actions}
        nowMs={nowMs}
        later={later}
        formatTime={formatTime}
        onRequest={showRequest}
      />
    );
  }

  function ActionsDrawer() {
    const actions = useRun((state) => state.actions);
    const nowMs = useRun((state) => state.nowMs);
    return (
      <>
        <ActionsList service={service} actions={actions} nowMs={nowMs} formatTime={formatTime} />
        <NewRun />
      </>
    );
  }

  function EditorDrawer() {
    const later = useRun((state) => state.future.length);
    return <EditorPanel session={session} later={later} />;
  }

  function SubjectMenu({ subject, at, onClose }: MenuProps) {
    const view = useRun((state) => state.view);
    const later = useRun((state) => state.future.length);
    const { openDrawer } = usePage();
    return (
      view && (
        <Menu
          subject={subject}
          at={at}
          view={view}
          later={later}
          session={session}
          onClose={onClose}
          onPrompt={() => openDrawer('prompt')}
        />
      )
    );
  }

  function ActNews() {
    const actions = useRun((state) => state.actions);
    const dropped = useRun((state) => state.dropped);
    const { openDrawer, select, report } = usePage();
    return (
      <>
        <UndoLine key={actions.length} dropped={dropped} onUndo={() => void service.undo().catch(report)} />
        <LatestAct
          session={session}
          service={service}
          onPrompt={() => {
            session.dismiss();
            openDrawer('prompt');
          }}
          onMessage={(id) => select({ kind: 'message', id })}
        />
      </>
    );
  }

  const panels: Panels = {
    Inspector,
    Menu: SubjectMenu,
    News: ActNews,
    closeNews: () => session.dismiss(),
    drawers: [
      { id: 'prompt', title: texts.drawer.prompt, draw: () => <PromptDrawer /> },
      { id: 'editor', title: texts.drawer.editor, draw: () => <EditorDrawer /> },
      { id: 'around', title: texts.drawer.around, draw: () => <Happenings /> },
      { id: 'sequence', title: texts.drawer.sequence, draw: () => <SequenceDrawer /> },
      { id: 'actions', title: texts.drawer.actions, draw: () => <ActionsDrawer /> },
      { id: 'own', title: texts.drawer.own, draw: () => <OwnPanel /> },
    ],
    sample: samples[0]?.text ?? '',
  };
  return { panels, session };
}
