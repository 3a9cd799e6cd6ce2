; The installer for Windows, by Inno Setup 6; packaging/windows/build.ps1 runs it. NOT TRIED.
[Setup]
AppId=askew
AppName=Askew
AppVersion={#Version}
AppPublisher=The Askew authors
DefaultDirName={autopf}\Askew
DefaultGroupName=Askew
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
ChangesAssociations=yes
Compression=lzma2/max
SolidCompression=yes
LicenseFile=..\..\LICENSE
OutputDir=..\..\dist
OutputBaseFilename=askew-{#Version}-setup
UninstallDisplayIcon={app}\askew.exe

[Files]
Source: "..\..\build\frozen\askew\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion

[InstallDelete]
Type: filesandordirs; Name: "{app}\_internal"

[Icons]
Name: "{group}\Askew"; Filename: "{app}\askew.exe"

[Registry]
Root: HKA; Subkey: "Software\Classes\.askew"; ValueType: string; ValueData: "Askew.Session"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\Askew.Session"; ValueType: string; ValueData: "Askew session"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Askew.Session\shell\open\command"; ValueType: string; ValueData: """{app}\askew.exe"" ""%1"""
