import { connect } from './connection.ts';

// Replaced by the shell.
const page = document.getElementById('page') as HTMLElement;
const log: unknown[] = [];
const connection = await connect({
  onFrame: (frame) => {
    log.push(frame);
    page.textContent = JSON.stringify({ ...frame, view: undefined, messages: frame.messages.length });
  },
  onStuck: () => {},
  onSaved: (file, error) => {
    log.push({ file, error });
  },
});
Object.assign(globalThis, { service: connection.service, log });
await connection.service.open({ seed: 1, nodes: 3, actions: [] });
