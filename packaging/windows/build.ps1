# Builds dist\askew-VERSION-setup.exe on Windows, with Python 3.11 and Inno Setup 6. NOT TRIED.
#   powershell -File packaging/windows/build.ps1
$ErrorActionPreference = "Stop"
Set-Location (Join-Path $PSScriptRoot "..\..")

function Invoke-Checked { & $args[0] $args[1..($args.Length)]; if ($LASTEXITCODE -ne 0) { throw "$($args[0]) failed" } }

python -m venv build\freeze-venv
$python = "build\freeze-venv\Scripts\python.exe"
$pins = @("-c", "constraints.txt", "-c", "packaging\build-tools.txt")
Invoke-Checked $python -m pip install -q @pins hatchling pyinstaller
Invoke-Checked $python -m hatchling build -t wheel -d build\wheel
$wheel = (Get-ChildItem build\wheel\askew-*.whl)[0].FullName
Invoke-Checked $python -m pip install -q @pins $wheel
Invoke-Checked $python -m PyInstaller --noconfirm --distpath build\frozen --workpath build\pyinstaller packaging\freeze\askew.spec

$said = & build\frozen\askew\askew.exe self-test
if ($said -ne "OK") { throw "the self-test did not say OK" }

$version = & $python -c "from importlib.metadata import version; print(version('askew'))"
New-Item -ItemType Directory -Force dist | Out-Null
Invoke-Checked "${env:ProgramFiles(x86)}\Inno Setup 6\ISCC.exe" "/DVersion=$version" packaging\windows\askew.iss
if ($env:CERTIFICATE) {
    [IO.File]::WriteAllBytes("build\certificate.pfx", [Convert]::FromBase64String($env:CERTIFICATE))
    Invoke-Checked signtool sign /fd SHA256 /f build\certificate.pfx /p $env:CERTIFICATE_PASSWORD "dist\askew-$version-setup.exe"
    Remove-Item build\certificate.pfx
}
