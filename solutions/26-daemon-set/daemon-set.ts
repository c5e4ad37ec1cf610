export { daemonSetController } from './daemon-set-controller.ts';
