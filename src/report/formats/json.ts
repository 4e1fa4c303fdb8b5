/** A report, of a run or an audit, as `report.json`: indented, ending with a line feed, and readable back unchanged. */
export const renderJson = (report: object): string => `${JSON.stringify(report, null, 2)}\n`
