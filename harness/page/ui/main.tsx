import { render } from 'preact';
import { newRecipe } from '../protocol/recipe.ts';
import { App } from './app.tsx';
import { type Connection, connect } from './connection.ts';
import { liveService } from './live-service.ts';
import { panels } from './mounted-panels.tsx';
import { Notices } from './notices.ts';
import { readSettings } from './settings.ts';
import { RunStore } from './store.ts';
import { texts } from './texts.ts';

const settings = readSettings(localStorage);
document.documentElement.dataset.theme = settings.theme;

const store = new RunStore();
const notices = new Notices();
let connection = start();
const service = liveService(() => connection);

function start(): Promise<Connection> {
  return connect({
    onFrame: (frame) => store.take(frame),
    onStuck: () => notices.show({ text: texts.start.stuck, isError: true }),
    onSaved: ({ file }, error) =>
      notices.show(
        error === undefined
          ? { text: texts.own.reloaded(file), isError: false }
          : { text: texts.own.failed(file, error), isError: true },
      ),
  });
}

/** Opens the run of the page, and plays it. */
function open(): void {
  service
    .open(newRecipe)
    .then(() => service.play(1))
    .catch(notices.report);
}

/** Ends the worker, whatever it does, and begins again with the reference. */
async function restart(): Promise<void> {
  notices.show(undefined);
  (await connection).close();
  connection = start();
  open();
}

// The page is drawn before the worker's code has arrived.
const root = document.getElementById('page');
if (root) {
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
}
open();
