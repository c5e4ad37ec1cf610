export { statefulSetController } from './stateful-set-controller.ts';
