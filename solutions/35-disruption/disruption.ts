export { disruptionController } from './disruption-controller.ts';
