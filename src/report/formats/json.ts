/** A report, of a run or of an audit, as `report.json`: indented, with a line feed at its end, reading back as the same report. */
export const renderJson = (report: object): string => `${JSON.stringify(report, null, 2)}\n`
