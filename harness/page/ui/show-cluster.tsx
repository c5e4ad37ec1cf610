import { render } from 'preact';
import { recipeIn } from '../share/address.ts';
import { newRunIn } from '../share/new-run.ts';
import { App } from './app.tsx';
import { type Connection, connect } from './connection.ts';
import { liveService } from './live-service.ts';
import { mountedPanels } from './mounted-panels.tsx';
import { Notices } from './notices.ts';
import type { Settings } from './settings.ts';
import { RunStore } from './store.ts';
import { texts } from './texts.ts';

/** Draws the cluster, before the worker's code has arrived, and runs it. */
export function showCluster(root: HTMLElement, settings: Settings): void {
  const store = new RunStore();
  const notices = new Notices();
  let connection = start();
  const service = liveService(() => connection);
  const { panels, session } = mountedPanels(service);

  function start(): Promise<Connection> {
    return connect({
      onFrame: (frame) => {
        store.take(frame);
        session.take(frame);
      },
      onStuck: () => notices.show({ text: texts.start.stuck, isError: true }),
      onSaved: ({ file }, error) =>
        notices.show(
          error === undefined
            ? { text: texts.own.reloaded(file), isError: false }
            : { text: texts.own.failed(file, error), isError: true },
        ),
    });
  }

  /** Opens the run of the page's address, or a new one, and plays it. */
  async function open(): Promise<void> {
    const shared = await recipeIn(location.hash);
    if (shared?.error !== undefined) notices.show({ text: shared.error, isError: true });
    await service.open(shared?.recipe ?? newRunIn(location.hash));
    // A shared run is shown as it was when it was copied.
    if (!shared?.recipe) await service.play(1);
  }

  /** Ends the worker, whatever it does, and begins again with the reference. */
  async function restart(): Promise<void> {
    notices.show(undefined);
    (await connection).close();
    connection = start();
    await open().catch(notices.report);
  }

  render(
    <App
      service={service}
      store={store}
      notices={notices}
      panels={panels}
      settings={settings}
      onRestart={restart}
    />,
    root,
  );
  open().catch(notices.report);
}
