import { forever } from '../pause.ts';
import type { Program } from '../program.ts';
import { crdConversionWebhook } from './crd-conversion-webhook.ts';
import { webhook } from './webhook.ts';

/**
 * The image for upstream's tests: `agnhost webhook`, `agnhost crd-conversion-webhook`, `agnhost pause`.
 *
 * Differs: the program of stand-in images plays the other commands.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 test/images/agnhost/agnhost.go main
 */
export const agnhost: Program = (process) => {
  const [, command] = process.argv;
  const program = command === undefined ? undefined : commands.get(command);
  return program ? program(process) : process.exec(['/stand-in']);
};

/** Upstream: kubernetes/kubernetes@v1.36.3 test/images/agnhost/pause/pause.go pause */
const pause: Program = ({ stdout, onSignal, exit }) => {
  stdout('Paused\nSignals registered\n');
  const end = (signal: string, code: number) => () => {
    stdout(`exiting because of signal "${signal}"\n`);
    exit(code);
  };
  onSignal('SIGINT', end('interrupt', 1));
  onSignal('SIGTERM', end('terminated', 2));
  return forever();
};

const commands: ReadonlyMap<string, Program> = new Map([
  ['webhook', webhook],
  ['crd-conversion-webhook', crdConversionWebhook],
  ['pause', pause],
]);
