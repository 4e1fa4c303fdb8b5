import type { ClientReport } from './model.js'
/** tmp */
export const renderClientHtml = (report: ClientReport): string => report.headline
